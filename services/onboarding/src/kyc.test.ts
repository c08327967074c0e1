/** GET /v1/kyc, requested as the gateway does, on two replicas in front of a real fake provider. */

import type { Principal } from '@financial-agents/contract/principal'
import { problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { recordKycRead } from './kyc-store.ts'
import { credentials, type Ending, startVerifying, type Verifying } from './verifying.test-helper.ts'

let stack: Verifying
beforeAll(async () => {
  stack = await startVerifying()
})
afterAll(() => stack.close())
afterEach(async () => {
  await stack.clearFaults()
  stack.clock.setOffsetMs(0)
})

async function newConnected(as?: string, at = stack): Promise<Principal> {
  const owner = at.newOwner()
  await at.connect(owner, as)
  return owner
}

/** Moves the clock on, so that earlier reads are no longer fresh. */
const later = (ms = 3_000) => stack.clock.setOffsetMs(ms)

test('an owner who has not begun is not_started, with the provider’s time', async () => {
  const kyc = await stack.kycOf(await newConnected())
  expect(kyc).toEqual({ status: 'not_started', reason_code: null, updated_at: expect.stringMatching(/\.\d{3}Z$/) })
})

test.each<[Ending, string, string | null]>([
  ['leave', 'pending', null],
  ['review', 'in_review', null],
  ['refuse', 'rejected', 'document_unreadable'],
  ['expire', 'expired', 'document_expired'],
  ['pass', 'verified', null],
])(
  'a verification that ends with %s is %s, and every client of the owner reads so',
  async (ending, status, reason_code) => {
    await stack.tomasz(ending)
    const owner = await newConnected()
    const kyc = await stack.kycOf(owner)
    expect(kyc).toMatchObject({ status, reason_code })
    expect(await stack.kycOf({ ...owner, client_id: 'another' })).toEqual(kyc)
  },
)

test('the provider is asked once within a few seconds, for any number of requests and replicas', async () => {
  const owner = await newConnected(credentials.ines)
  const before = stack.calls.identityStatus
  const all = await Promise.all(Array.from({ length: 50 }, () => stack.kycOf(owner)))
  expect(new Set(all.map((kyc) => JSON.stringify(kyc))).size).toBe(1)
  // Each replica may ask once, if both are asked before either has answered.
  expect(stack.calls.identityStatus - before).toBeLessThanOrEqual(2)
  const asked = stack.calls.identityStatus
  for (let time = 0; time < 6; time += 1) await stack.kycOf(owner)
  expect(stack.calls.identityStatus).toBe(asked)
  later()
  await stack.kycOf(owner)
  expect(stack.calls.identityStatus).toBe(asked + 1)
})

test('each change is recorded once, and a read that brings nothing new is none', async () => {
  await stack.tomasz('refuse')
  const owner = await newConnected()
  await stack.kycOf(owner)
  later()
  await stack.kycOf(owner)
  await stack.tomasz('pass')
  later(6_000)
  await stack.kycOf(owner)
  expect(await stack.changesOf(owner)).toEqual([
    { status: 'rejected', reason_code: 'document_unreadable' },
    { status: 'verified', reason_code: null },
  ])
})

test('a read that began earlier never replaces what a later one brought', async () => {
  const owner = await newConnected(credentials.ines)
  const known = await stack.kycOf(owner)
  const { binding_id, read_at } = (await stack.stored(owner)) ?? {}
  const now = stack.clock.now()
  const earlier = {
    status: 'rejected' as const,
    reason_code: 'other' as const,
    changed_at: now,
    binding_id: binding_id ?? '',
    read_at: new Date(Number(read_at) - 1),
  }
  const recorded = await recordKycRead(stack.db, owner.owner_id, earlier, now)
  expect(recorded).toMatchObject({ changed: false, kyc: { status: 'verified' } })
  expect(await stack.kycOf(owner)).toEqual(known)
  expect(await stack.changesOf(owner)).toEqual([{ status: 'verified', reason_code: null }])
})

test('an owner who never connected is not_started since the first request', async () => {
  const owner = stack.newOwner()
  const before = stack.calls.identityStatus
  const all = await Promise.all(Array.from({ length: 10 }, () => stack.kycOf(owner)))
  later(60_000)
  all.push(await stack.kycOf(owner))
  expect(new Set(all.map((kyc) => JSON.stringify(kyc))).size).toBe(1)
  expect(all[0]).toMatchObject({ status: 'not_started', reason_code: null })
  expect(stack.calls.identityStatus).toBe(before)
})

test('an owner who disconnected keeps the last known state', async () => {
  const owner = await newConnected(credentials.ines)
  const known = await stack.kycOf(owner)
  await stack.disconnect(owner)
  later(3_600_000)
  const before = stack.calls.identityStatus
  expect(await stack.kycOf(owner)).toEqual(known)
  expect(stack.calls.identityStatus).toBe(before)
})

test('a result of another connection is not shown as that of this one', async () => {
  const owner = await newConnected(credentials.ines)
  expect(await stack.kycOf(owner)).toMatchObject({ status: 'verified' })
  await stack.disconnect(owner)
  await stack.connect(owner, credentials.daniel)
  expect(await stack.kycOf(owner)).toMatchObject({ status: 'in_review' })
})

test('owners learn of themselves alone', async () => {
  const [one, other] = [await newConnected(credentials.ines), await newConnected(credentials.daniel)]
  expect(await stack.kycOf(one)).toMatchObject({ status: 'verified' })
  expect(await stack.kycOf(other)).toMatchObject({ status: 'in_review' })
  expect(await stack.kycOf({ ...other, client_id: one.client_id })).toMatchObject({ status: 'in_review' })
})

test('without an answer of the provider nothing is shown, not even the known state', async () => {
  const owner = await newConnected(credentials.ines)
  await stack.kycOf(owner)
  later()
  await stack.fault('drop_before_accept', 'identityStatus', {}, 1)
  expect(problemOf(await stack.getKyc(owner)).code).toBe('provider_unavailable')
  expect(await stack.kycOf(owner)).toMatchObject({ status: 'verified' })
})

test('a provider that answers too late is unavailable', async () => {
  const hurried = await startVerifying({ readTimeoutMs: 5_000 })
  onTestFinished(() => hurried.close())
  const owner = await newConnected(credentials.ines, hurried)
  await hurried.fault('slow', 'identityStatus', { delay_ms: 30_000 }, 1)
  expect(problemOf(await hurried.getKyc(owner)).code).toBe('provider_unavailable')
})

test('an answer in another shape is a broken contract, and none of it is shown, kept or logged', async () => {
  const owner = await newConnected(credentials.ines)
  await stack.fault('malform', 'identityStatus', {}, 1)
  expect(problemOf(await stack.getKyc(owner)).code).toBe('response_contract_failed')
  expect(await stack.changesOf(owner)).toEqual([])
})

test.each([
  ['status', { status: 'SECRET' }],
  ['updated_at', { updated_at: 'SECRET' }],
  ['reason_code', { reason_code: 1 }],
])('what an adapter lets pass with another %s is a broken contract, too', async (member, changes) => {
  const owner = await newConnected(credentials.ines)
  stack.instead.identity = { status: 'verified', reason_code: null, updated_at: '2026-01-01T00:00:00Z', ...changes }
  const problem = problemOf(await stack.getKyc(owner))
  delete stack.instead.identity
  expect(problem.code).toBe('response_contract_failed')
  expect(await stack.changesOf(owner)).toEqual([])
  expect(stack.lines.join('')).toContain(`${member}: `)
  expect(stack.lines.join('')).not.toContain('SECRET')
})

test('credentials that the provider refuses are a connection that is lost, until they are replaced', async () => {
  const owner = await newConnected('test-user-nobody')
  expect(problemOf(await stack.getKyc(owner)).code).toBe('provider_connection_unavailable')
  expect(problemOf(await stack.openSession(owner)).code).toBe('provider_connection_unavailable')
  await stack.connect(owner, credentials.ines)
  expect(await stack.kycOf(owner)).toMatchObject({ status: 'verified' })
})
