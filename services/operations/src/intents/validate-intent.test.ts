import { expect, test } from 'vitest'
import { type ConfirmedRequest, type ValidatedIntent, validateIntent } from './validate-intent.ts'

const now = new Date('2026-11-20T12:00:00.000Z')
const request: ConfirmedRequest = {
  owner_id: 'owner',
  client_id: 'client',
  grant_id: 'grant',
  action: 'transfer',
  request_hash: 'hash',
  binding_id: 'binding',
}
const intent = (over: Partial<ValidatedIntent> = {}): ValidatedIntent => ({
  ...request,
  status: 'confirmed',
  expires_at: new Date(now.getTime() + 1),
  ...over,
})

// Written by hand from the meaning of the refusals, not from the code.
test.each([
  ['one that is good', intent(), null],
  ['none', undefined, 'confirmation_required'],
  ["another owner's", intent({ owner_id: 'other' }), 'confirmation_required'],
  ["another client's", intent({ client_id: 'other' }), 'confirmation_required'],
  [
    "another owner's, of another request",
    intent({ owner_id: 'other', request_hash: 'other' }),
    'confirmation_required',
  ],
  ["another grant's", intent({ grant_id: 'other' }), 'confirmation_mismatch'],
  ['one for another action', intent({ action: 'mandate_create' }), 'confirmation_mismatch'],
  ['one for another request', intent({ request_hash: 'other' }), 'confirmation_mismatch'],
  ['one over another connection', intent({ binding_id: 'earlier' }), 'confirmation_mismatch'],
  [
    'a pending one over another connection',
    intent({ binding_id: 'earlier', status: 'pending' }),
    'confirmation_mismatch',
  ],
  [
    'an expired one over another connection',
    intent({ binding_id: 'earlier', expires_at: now }),
    'confirmation_expired',
  ],
  [
    'a used one over another connection',
    intent({ binding_id: 'earlier', status: 'consumed' }),
    'confirmation_already_used',
  ],
  ['a pending one of another request', intent({ request_hash: 'other', status: 'pending' }), 'confirmation_mismatch'],
  ['a pending one', intent({ status: 'pending' }), 'confirmation_pending'],
  ['a declined one', intent({ status: 'declined' }), 'confirmation_declined'],
  ['a used one', intent({ status: 'consumed' }), 'confirmation_already_used'],
  ['a confirmed one at its end', intent({ expires_at: now }), 'confirmation_expired'],
  ['a pending one at its end', intent({ status: 'pending', expires_at: now }), 'confirmation_expired'],
  ['a declined one after its end', intent({ status: 'declined', expires_at: now }), 'confirmation_declined'],
  ['a used one after its end', intent({ status: 'consumed', expires_at: now }), 'confirmation_already_used'],
] as const)('an intent: %s', (_name, validated, expected) => {
  expect(validateIntent(validated, request, now)).toBe(expected)
})
