import { kycReasonCodes } from '@financial-agents/contract/schemas/kyc'
import { expect, test } from 'vitest'
import { canVerify, isUnderWay, reasonOf } from './kyc-words.ts'

test.each([
  ['not_started', true, false],
  ['pending', true, true],
  ['in_review', false, true],
  ['verified', false, false],
  ['rejected', true, false],
  ['expired', true, false],
] as const)('%s: can be worked on %s, goes on by itself %s', (status, can, underWay) => {
  expect([canVerify(status), isUnderWay(status)]).toEqual([can, underWay])
})

test.each(kycReasonCodes)('%s is shown as it is', (reason) => {
  expect(reasonOf('rejected', reason)).toBe(reason)
})

test('an unknown reason becomes other, never the provider’s words', () => {
  expect(reasonOf('rejected', 'watchlist_hit_ofac')).toBe('other')
  expect(reasonOf('expired', 'policy_77')).toBe('other')
})

test('a missing reason stays missing, and a verified or not started owner has none', () => {
  expect(reasonOf('rejected', null)).toBeNull()
  expect(reasonOf('verified', 'document_expired')).toBeNull()
  expect(reasonOf('not_started', 'other')).toBeNull()
})
