import { expect, test } from 'vitest'
import type { z } from 'zod'
import { canBeSeen } from './plain-text.ts'
import { createBeneficiaryBody } from './schemas/beneficiary.ts'
import { createCardBody } from './schemas/card.ts'
import { createMandateBody, createMandateTransferBody } from './schemas/mandate.ts'
import { suspendGrantBody } from './schemas/operator.ts'
import { createPurchaseQuoteBody } from './schemas/quote.ts'
import { createWebhookSubscriptionBody } from './schemas/webhook.ts'

const invisible = {
  spaces: '   ',
  'a no-break space': '\u00A0',
  'an ideographic space': '\u3000',
  'a Hangul filler': '\u3164',
  'a half-width Hangul filler': '\uFFA0',
  'a zero-width space': '\u200B',
  'a zero-width joiner': '\u200D',
  'a soft hyphen': '\u00AD',
  'a byte order mark': '\uFEFF',
  'a tag': '\u{E0041}',
  'a variation selector': '\uFE0F',
  'a blank of Braille': '\u2800',
  'a private character': '\uE000',
  'a line separator': '\u2028',
  'several of them': ' \u3164\u200B\u2800 ',
}

test.each(Object.entries(invisible))('%s cannot be seen', (_name, text) => {
  expect(canBeSeen(text)).toBe(false)
  expect(canBeSeen(`${text}a${text}`)).toBe(true)
})

test.each(['a', '1', '-', '李', '😀', 'é', '$', 'ﷺ'])('%s can be seen', (text) => {
  expect(canBeSeen(text)).toBe(true)
})

const schemas: [string, z.ZodObject][] = [
  ['name', createBeneficiaryBody],
  ['nickname', createBeneficiaryBody],
  ['label', createCardBody],
  ['rule', createMandateTransferBody],
  ['recipient', createPurchaseQuoteBody],
  ['description', createWebhookSubscriptionBody],
  ['reason', suspendGrantBody],
]

test.each(schemas)('a %s that cannot be seen is refused', (member, schema) => {
  for (const text of Object.values(invisible)) {
    const issues = schema.safeParse({ [member]: text.repeat(3) }).error?.issues ?? []
    expect(issues.filter(({ path }) => path[0] === member)).toMatchObject([
      { message: 'Send something that can be seen.' },
    ])
  }
})

test('rules of a mandate that cannot be seen are refused, each by its place', () => {
  const { error } = createMandateBody.safeParse({ authorized_rules: ['rent', '\u3164', ' '] })
  const paths = error?.issues.map(({ path }) => path.join('.'))
  expect(paths?.filter((path) => path.startsWith('authorized_rules'))).toEqual([
    'authorized_rules.1',
    'authorized_rules.2',
  ])
})

test('an optional text may be sent empty', () => {
  expect(createCardBody.safeParse({ label: '', type: 'virtual', currency: 'EUR' }).success).toBe(true)
})
