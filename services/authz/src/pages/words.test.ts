import { onboarding } from '@financial-agents/contract/schemas/kyc'
import { scopeNames } from '@financial-agents/contract/scopes'
import { englishReader } from '@financial-agents/pages/reader'
import { describe, expect, test } from 'vitest'
import { stateWordsOf } from './operation-words.ts'
import { knownScopes } from './scope-words.ts'
import { limits, powers } from './views/powers.ts'
import { canWords } from './words/scopes.ts'

describe('words', () => {
  test('every scope has one sentence, without technical words', () => {
    expect(knownScopes(['openid', ...scopeNames])).toHaveLength(scopeNames.length + 1)
    for (const { en: can } of Object.values(canWords)) {
      expect(can).toMatch(/^[A-Z][^.]*\.$/)
      expect(can).not.toMatch(/scope|grant|token|OAuth|API|beneficiar|KYC|pairwise/)
    }
  })

  test('an operation whose outcome is uncertain is said to be, and that nothing is sent again', () => {
    expect(stateWordsOf('indeterminate', englishReader).more).toMatch(/do not know.*nothing will be sent again/)
  })

  test('the scope that opens the onboarding read says what that read tells of the owner', () => {
    const { en: can } = canWords['kyc:read']
    expect(onboarding.shape.customer.keyof().options.toSorted()).toEqual([
      'display_name',
      'locale',
      'subject',
      'timezone',
    ])
    for (const words of ['display name', 'language', 'time zone', 'connected', 'verified']) expect(can).toContain(words)
  })

  test('moving money comes first, and its absence is said', () => {
    const list = powers(['accounts:read', 'spending:withdraw'], englishReader).toString()
    expect(list.indexOf('Move money')).toBeLessThan(list.indexOf('See your accounts'))
    expect(limits(['spending:withdraw'], englishReader).toString()).not.toContain('Move money')
    expect(limits([], englishReader).toString()).toContain('Move money.')
  })

  test('a scope that nobody knows is never said to be allowed', () => {
    expect(powers(['purchases:execute', '__proto__'], englishReader).toString()).toBe('<ul class="powers"></ul>')
  })
})
