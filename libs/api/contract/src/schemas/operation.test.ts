/** The members of each kind of hand-off, copied by hand from the contract ("action_required"). */

import { expect, test } from 'vitest'
import { actionRequired, operation } from './operation.ts'

const url = 'https://provider.example/hosted'
const expires_at = '2026-11-20T09:20:00.000Z'

test.each([
  ['kyc_session', { expires_at: null, poll_after_ms: null }],
  ['kyc_session', { expires_at, poll_after_ms: 5_000 }],
  ['card_reveal', { expires_at, poll_after_ms: null }],
  ['connect', { expires_at, poll_after_ms: null }],
  ['grant_approval', { expires_at, poll_after_ms: 1 }],
])('%s may come with %o', (kind, more) => {
  expect(actionRequired.safeParse({ kind, url, ...more }).error).toBeUndefined()
})

test.each([
  ['card_reveal', { expires_at: null, poll_after_ms: null }],
  ['connect', { expires_at: null, poll_after_ms: null }],
  ['grant_approval', { expires_at: null, poll_after_ms: 2_000 }],
  ['grant_approval', { expires_at, poll_after_ms: null }],
  ['grant_approval', { expires_at, poll_after_ms: 0 }],
  ['grant_approval', { expires_at, poll_after_ms: 1.5 }],
  ['grant_approval', { poll_after_ms: 2_000 }],
  ['another', { expires_at, poll_after_ms: 2_000 }],
])('%s never comes with %o', (kind, more) => {
  expect(actionRequired.safeParse({ kind, url, ...more }).success).toBe(false)
})

test('an operation shows a hand-off that is complete, or none', () => {
  const row = {
    id: '01990000-0000-7000-8000-000000000000',
    kind: 'mandate_create',
    state: 'requires_action',
    submission_uncertain: false,
    failure_code: null,
    failure_detail: null,
    created_at: expires_at,
    updated_at: expires_at,
    resource_id: '01990000-0000-7000-8000-000000000001',
    resource_type: 'mandate',
    next_reconcile_at: null,
    upstream_reference: null,
  }
  const shows = (action_required: object) => operation.safeParse({ ...row, action_required }).success
  expect(operation.safeParse(row).success).toBe(true)
  expect(shows({ kind: 'grant_approval', url, expires_at, poll_after_ms: 2_000 })).toBe(true)
  expect(shows({ kind: 'grant_approval', url, expires_at, poll_after_ms: null })).toBe(false)
  expect(shows({ kind: 'grant_approval', url, expires_at: null, poll_after_ms: 2_000 })).toBe(false)
})
