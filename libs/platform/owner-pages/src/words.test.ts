import type { FailureCode } from '@financial-agents/contract/failure-codes'
import { type Route, routeString, scopesOf } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { onboarding } from '@financial-agents/contract/schemas/kyc'
import { scopeNames } from '@financial-agents/contract/scopes'
import { catalogues } from '@financial-agents/pages/catalogues'
import { englishReader } from '@financial-agents/pages/reader'
import { describe, expect, test } from 'vitest'
import { operationWordsOf, stateWordsOf, whyWords } from './operation-words.ts'
import { limits, powers } from './powers.ts'
import { knownScopes } from './scope-words.ts'

const { messages } = catalogues.en

/** The routes that each scope opens, copied by hand: the powers of the messages `can`. */
const opened = {
  'identity:read': ['GET /v1/identity'],
  'accounts:read': ['GET /v1/accounts', 'GET /v1/accounts/withdrawal-limits', 'GET /v1/accounts/{account_id}'],
  'activity:read': ['GET /v1/activity'],
  'spending:read': ['GET /v1/spending-account'],
  'beneficiaries:read': [
    'GET /v1/beneficiaries',
    'GET /v1/beneficiaries/address-countries',
    'GET /v1/beneficiaries/payout-schemas',
    'GET /v1/beneficiaries/payout-schemas/{payout_schema_id}',
    'GET /v1/beneficiaries/virtual-account-economics',
    'GET /v1/beneficiaries/{beneficiary_id}',
  ],
  'cards:read': ['GET /v1/cards', 'GET /v1/cards/{card_id}', 'GET /v1/cards/{card_id}/activity'],
  'purchases:read': [
    'GET /v1/purchases',
    'GET /v1/purchases/quotes/{quote_id}',
    'GET /v1/purchases/{purchase_id}',
    'POST /v1/purchases/quotes',
  ],
  'kyc:read': ['GET /v1/kyc', 'GET /v1/onboarding', 'POST /v1/kyc/sessions'],
  'operations:read': [
    'DELETE /v1/webhook-subscriptions/{id}',
    'GET /v1/operations',
    'GET /v1/operations/{id}',
    'GET /v1/transfers',
    'GET /v1/transfers/{transfer_id}',
    'GET /v1/webhook-subscriptions',
    'GET /v1/webhook-subscriptions/{id}',
    'GET /v1/webhook-subscriptions/{id}/deliveries',
    'POST /v1/operations/{operation_id}/approval/poll',
    'POST /v1/webhook-subscriptions',
    'POST /v1/webhook-subscriptions/{id}/deliveries/{delivery_id}/resend',
    'POST /v1/webhook-subscriptions/{id}/rotate-secret',
  ],
  'authorization:read': ['GET /v1/authorization', 'GET /v1/mandates', 'GET /v1/mandates/{mandate_id}'],
  'services:read': [
    'DELETE /v1/service-connections/current',
    'GET /v1/confirmation-intents/{intent_id}',
    'GET /v1/service-connections/current',
    'GET /v1/services',
    'GET /v1/services/{service_id}',
    'POST /v1/confirmation-intents',
  ],
  'transfers:quote': ['POST /v1/quotes'],
  'beneficiaries:write': ['POST /v1/beneficiaries'],
  'cards:manage': [
    'POST /v1/cards',
    'POST /v1/cards/{card_id}/close',
    'POST /v1/cards/{card_id}/freeze',
    'POST /v1/cards/{card_id}/reveals',
    'POST /v1/cards/{card_id}/unfreeze',
  ],
  'spending:withdraw': [
    'GET /v1/confirmation-intents/{intent_id}',
    'POST /v1/confirmation-intents',
    'POST /v1/mandates',
    'POST /v1/mandates/{mandate_id}/revoke',
    'POST /v1/mandates/{mandate_id}/suspend',
    'POST /v1/mandates/{mandate_id}/transfers',
    'POST /v1/mandates/{mandate_id}/transfers/check',
    'POST /v1/spending-account/withdrawals',
    'POST /v1/spending-account/withdrawals/check',
  ],
}

describe('words', () => {
  test('each scope opens what its sentence says, and nothing else', () => {
    const rows: readonly Route[] = Object.values(routes)
    const opens = (scope: (typeof scopeNames)[number]) =>
      rows.filter((row) => scopesOf(row).includes(scope)).map(routeString)
    expect(Object.fromEntries(scopeNames.map((scope) => [scope, opens(scope).toSorted()]))).toEqual(opened)
  })

  test.each([
    ['operation_kind_unsupported', 'could not be sent, so nothing happened'],
    ['submission_invalid', 'could not be sent, so nothing happened'],
    ['provider_unreachable', 'could not be sent, so nothing happened'],
    ['provider_refused', 'refused it. Nothing happened there.'],
    ['provider_rejected_details', 'refused it. Nothing happened there.'],
    ['provider_authentication_failed', 'refused it. Nothing happened there.'],
    ['provider_identity_required', 'first wants to know who you are'],
    ['provider_settlement_failed', 'took it and said later'],
    ['authority_withdrawn', 'stopped before it was sent'],
    ['submission_expired', 'did not begin it in time'],
    ['approval_declined', 'You declined it'],
    ['approval_expired', 'did not approve it'],
  ] as const satisfies readonly [FailureCode, string][])('%s: %s', (failure_code, words) => {
    for (const state of ['failed', 'cancelled'] as const)
      expect(whyWords({ state, failure_code }, englishReader)).toContain(words)
    expect(whyWords({ state: 'indeterminate', failure_code }, englishReader)).toBeUndefined()
  })

  test('every scope has one sentence, without technical words', () => {
    expect(knownScopes(['openid', ...scopeNames])).toHaveLength(scopeNames.length + 1)
    for (const can of Object.values(messages.can)) {
      expect(can).toMatch(/^[A-Z][^.]*\.$/)
      expect(can).not.toMatch(/scope|grant|token|OAuth|API|beneficiar|KYC|pairwise/)
    }
  })

  test('an operation whose outcome is uncertain is said to be, and that nothing is sent again', () => {
    expect(stateWordsOf('indeterminate', englishReader).more).toMatch(/do not know.*nothing will be sent again/)
  })

  test('an approval is asked for only where it can be given', () => {
    const approval = { url: 'https://pages.provider.example/1', expires_at: '2026-11-20T09:15:02.104Z' }
    expect(operationWordsOf({ state: 'requires_action', approval }, englishReader).more).toContain('your approval')
    expect(operationWordsOf({ state: 'requires_action', approval: null }, englishReader).more).toBeUndefined()
    expect(operationWordsOf({ state: 'accepted', approval: null }, englishReader).more).toContain('waits to be sent')
  })

  test('the scope that opens the onboarding read says what that read tells of the owner', () => {
    const can = messages.can['kyc:read']
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
