/** The words of the account page about an access: in each of its states, and for each of its ends. */

import { englishReader } from '@financial-agents/pages/reader'
import { expect, test } from 'vitest'
import { endedGrants, grantFacts, standing } from './grant.ts'
import type { GrantOfOwner } from './grant-of-owner.ts'
import { type Reach, reachOf } from './reach.ts'

const at = new Date('2026-11-20T09:15:02.104Z')
const grant: GrantOfOwner = {
  grant_id: 'grant-1',
  kind: 'human',
  client_id: 'ledger',
  client_name: 'Ledger',
  label: null,
  profile: 'web',
  client_status: 'active',
  scopes: ['accounts:read'],
  openid: false,
  status: 'active',
  status_reason: null,
  status_changed_at: at,
  suspended_for_owner: null,
  policy: { ceilings: { per_payment: null, per_day: null }, confirmation: [] },
  created_at: at,
  expires_at: at,
  binding_id: null,
  last_used_at: null,
}
const service = { ...grant, kind: 'service', profile: 'service', expires_at: null } as const
const connection = {
  binding_id: 'binding-1',
  owner_id: 'owner-1',
  status: 'connected',
  provider_name: 'My bank',
  source: 'sign_in',
  connected_at: at.toISOString(),
} as const

const wordOf = (one: GrantOfOwner, reach: Reach) =>
  String(standing(one, reach, englishReader)).replaceAll(/<[^>]*>/g, '')
const factsOf = (one: GrantOfOwner, reach: Reach = 'works') => {
  const all = grantFacts(
    { grant: one, last: undefined, payees: new Map(), knowsLast: true, reach, hidden: {}, reader: englishReader },
    'whole',
  )
  return all.map(([label, value]) => `${label}: ${String(value)}`.replaceAll(/<[^>]*>/g, ' ')).join('\n')
}

test('an access is active only with its client and its connection, as far as that is known', () => {
  const declared = { ...service, binding_id: 'binding-1' }
  expect(wordOf(grant, reachOf(grant, connection))).toBe('Active')
  expect(wordOf(grant, reachOf(grant, undefined))).toBe('Active')
  for (const none of [null, { ...connection, status: 'disconnecting' } as const])
    expect(wordOf(grant, reachOf(grant, none))).toBe('Not connected')
  expect(wordOf(declared, reachOf(declared, connection))).toBe('Active')
  expect(wordOf(declared, reachOf(declared, { ...connection, binding_id: 'binding-2' }))).toBe('Stopped')
  expect(wordOf(service, reachOf(service, null))).toBe('Not connected')
  expect(wordOf({ ...grant, client_status: 'suspended' }, 'works')).toBe('Suspended')
  expect(wordOf({ ...grant, status: 'suspended' }, 'works')).toBe('Suspended')
  expect(wordOf({ ...grant, status: 'expired' }, 'works')).toBe('Ended')
  expect(factsOf(grant)).toContain('Changed nothing so far')
  expect(factsOf(declared, 'stopped')).toContain('Only the operator can set it up anew.')
})

test.each([
  ['suspended_by_operator', 'web', 'By the operator of this service', 'sign in through the application anew'],
  ['suspended_by_operator', 'device', 'By the operator of this service', 'start anew on the device'],
  ['suspended_by_operator', 'service', 'By the operator of this service', 'Only the operator of this service'],
  ['paused_by_owner', 'native', 'Paused by you', 'sign in through the application anew'],
  ['client_not_registered', 'service', 'was removed from this service', 'Only the operator of this service'],
] as const)('suspended (%s), a %s application says who did it and how it comes back', (reason, profile, who, back) => {
  const facts = factsOf({ ...grant, profile, status: 'suspended', status_reason: reason })
  expect(facts).toContain(who)
  expect(facts).toContain(back)
  const removed = factsOf({ ...grant, profile, status: 'suspended', status_reason: reason, client_status: 'suspended' })
  expect(removed).toContain(profile === 'service' ? 'Only the operator' : 'can do nothing until you allow it again')
})

test.each([
  ['revoked', 'revoked_by_owner', 'You ended it.'],
  ['revoked', 'not_connected_again', 'You did not choose it when you connected again.'],
  ['revoked', 'revoked_by_client', 'The application gave it back.'],
  ['revoked', 'code_replayed', 'Ended for your safety: a sign-in code was used twice.'],
  ['revoked', 'replaced', 'You allowed the application anew.'],
  ['revoked', 'registration_changed', 'The application was set up anew by the operator.'],
  ['revoked', 'a reason to come', 'It was ended.'],
  ['expired', null, 'Its time was over.'],
] as const)('%s (%s) is shown as: %s', (status, status_reason, words) => {
  const ended = { ...grant, status, status_reason }
  expect(String(endedGrants([ended], englishReader))).toContain(words)
  expect(factsOf(ended)).toContain(words)
  expect(factsOf(ended)).not.toContain('Changed nothing')
})
