/** Kinds that the system executes itself: the same answer for the one call and for every lookup, and no call of the provider. */

import { operationKinds } from '@financial-agents/contract/kinds'
import { kindsExecutedHere } from '@financial-agents/provider-port/adapter'
import type { Instruction, LookupRequest, Provider, Submission } from '@financial-agents/provider-port/port'
import { submission } from '@financial-agents/provider-port/testing/submissions'
import { expect, test } from 'vitest'
import { findContradiction, withKindsExecutedHere } from './executed-here.ts'

const target = { upstreamReference: 'payee_1' }

function spied() {
  const asked: { call: string; request: Instruction | LookupRequest | Submission }[] = []
  const note = (call: string) => async (request: Instruction | LookupRequest | Submission) => {
    asked.push({ call, request })
    return { type: 'unavailable', reason: 'provider_unreachable' }
  }
  const provider = {
    supports: (kind: string) => kind === 'transfer' || kind === 'card_create',
    mayAskApproval: () => true,
    deadlines: null,
    submit: note('submit'),
    lookup: note('lookup'),
    prepareApproval: note('prepareApproval'),
  } as unknown as Provider
  return { asked, port: withKindsExecutedHere(provider, { kinds: operationKinds, executedHere: kindsExecutedHere }) }
}

const lookupOf = ({ kind, reference, credentials, timeoutMs, target: named }: Submission): LookupRequest => ({
  kind,
  reference,
  credentials,
  timeoutMs,
  target: named,
  upstreamReference: null,
})

test.each(kindsExecutedHere)('%s succeeds at once, is found for ever, and reaches no provider', async (kind) => {
  const { asked, port } = spied()
  const request = submission(kind, { credentials: 'anybody', ...(kind !== 'transfer_grant_revoke' && { target }) })
  expect(port.supports(kind)).toBe(true)
  expect(port.mayAskApproval(kind)).toBe(false)
  expect(await port.prepareApproval({ ...request, returnUrl: null })).toEqual({ type: 'not_needed' })
  const upstreamReference = kind === 'transfer_grant_revoke' ? request.reference : 'payee_1'
  // After a crash before the outcome is recorded, only the lookup follows. It gives the same answer.
  const found = await port.lookup(lookupOf(request))
  expect(found).toMatchObject({ type: 'found', state: 'succeeded', upstreamReference })
  expect(await port.submit(request)).toEqual({ type: 'succeeded', upstreamReference })
  expect(await port.lookup(lookupOf(request))).toEqual(found)
  expect(asked).toEqual([])
})

test('a mandate that names no beneficiary fails, and a lookup of it proves nothing', async () => {
  const { port } = spied()
  const request = submission('mandate_create', { credentials: 'anybody' })
  expect(await port.submit(request)).toMatchObject({ type: 'failed', failureCode: 'submission_invalid' })
  expect(await port.lookup(lookupOf(request))).toEqual({ type: 'unavailable', reason: 'submission_invalid' })
})

test('a transfer under a mandate reaches the provider as a transfer to the mandate’s beneficiary, without an approval', async () => {
  const { asked, port } = spied()
  const mandate = submission('mandate_create', { credentials: 'anybody', target })
  const made = await port.submit(mandate)
  const paid = { upstreamReference: made.type === 'succeeded' ? made.upstreamReference : '' }
  const request = submission('mandate_transfer', { credentials: 'anybody', target: paid })
  expect(port.supports('mandate_transfer')).toBe(true)
  expect(port.mayAskApproval('mandate_transfer')).toBe(false)
  expect(await port.prepareApproval({ ...request, returnUrl: null })).toEqual({ type: 'not_needed' })
  await port.submit(request)
  await port.lookup(lookupOf(request))
  const { amount, currency, reference: memo } = request.payload
  expect(asked.map(({ call }) => call)).toEqual(['submit', 'lookup'])
  expect(asked[0]?.request).toEqual({ ...request, kind: 'transfer', payload: { amount, currency, memo } })
  expect(asked[1]?.request).toEqual({ ...lookupOf(request), kind: 'transfer' })
})

test('every other kind reaches the provider unchanged', async () => {
  const { asked, port } = spied()
  const request = submission('transfer', { credentials: 'anybody', target })
  await port.submit(request)
  await port.lookup(lookupOf(request))
  await port.prepareApproval({ ...request, returnUrl: null })
  expect(asked.map(({ request: { kind } }) => kind)).toEqual(['transfer', 'transfer', 'transfer'])
  expect(port.supports('card_freeze')).toBe(false)
  expect(port.mayAskApproval('transfer')).toBe(true)
})

test.each([
  [{ kinds: ['transfer'], executedHere: ['transfer_grant_revoke'] }, 'executedHere names transfer_grant_revoke'],
  [{ kinds: operationKinds, executedHere: ['mandate_create'] }, 'name all three or none'],
  [
    { kinds: operationKinds.filter((kind) => kind !== 'transfer'), executedHere: kindsExecutedHere },
    'mandate_transfer needs transfer',
  ],
] as const)('kinds that do not fit together are named (%#)', (declared, why) => {
  expect(findContradiction(declared)).toContain(why)
  expect(findContradiction({ kinds: operationKinds, executedHere: kindsExecutedHere })).toBeUndefined()
  expect(findContradiction({ kinds: ['transfer'] })).toBeUndefined()
})
