/** GET /v1/onboarding, requested as the gateway does, and the reads that follow without a waiting client. */

import type { Principal } from '@financial-agents/contract/principal'
import { statement } from '@financial-agents/postgres/database'
import { createProviderReader } from '@financial-agents/provider-client/reader'
import { problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { followDue } from './follow-kyc.ts'
import { createKycReads } from './kyc-reads.ts'
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

async function newConnected(as?: string): Promise<Principal> {
  const owner = stack.newOwner()
  await stack.connect(owner, as)
  return owner
}

const dayMs = 86_400_000
const nobody = { display_name: null, locale: 'en', timezone: 'UTC' }

test('an owner who never connected lacks a connection and a verification', async () => {
  const owner = stack.newOwner({ subject: 'pairwise' })
  expect(await stack.onboardingOf(owner)).toEqual({
    customer: { subject: 'pairwise', ...nobody },
    connection: 'none',
    kyc_status: 'not_started',
    kyc_session_available: false,
    ready: false,
    missing: ['provider_connection', 'identity_verification'],
  })
})

test('a verified owner who is connected is ready, and shown as the last sign-in reported', async () => {
  const owner = await newConnected(credentials.ines)
  const shown = { display_name: 'Ines', locale: 'pt-PT', timezone: 'Europe/Lisbon' }
  stack.identities.set(owner.owner_id, shown)
  await stack.kycOf(owner)
  expect(await stack.onboardingOf({ ...owner, subject: 'pairwise' })).toEqual({
    customer: { subject: 'pairwise', ...shown },
    connection: 'connected',
    kyc_status: 'verified',
    kyc_session_available: false,
    ready: true,
    missing: [],
  })
})

test.each<[Ending, string, boolean]>([
  ['leave', 'pending', true],
  ['review', 'in_review', false],
  ['refuse', 'rejected', true],
  ['expire', 'expired', true],
])(
  'an owner whose verification ended with %s is %s, and may show papers: %s',
  async (ending, kyc_status, available) => {
    await stack.tomasz(ending)
    const owner = await newConnected()
    await stack.kycOf(owner)
    expect(await stack.onboardingOf(owner)).toMatchObject({
      connection: 'connected',
      kyc_status,
      kyc_session_available: available,
      ready: false,
      missing: ['identity_verification'],
    })
  },
)

test('a verified owner who disconnected, or is disconnecting, lacks a connection alone', async () => {
  const owner = await newConnected(credentials.ines)
  await stack.kycOf(owner)
  await stack.db.rows(
    statement(
      'test_disconnecting',
      `UPDATE bindings SET status = 'disconnecting', pending_operation_id = id, disconnecting_at = now() WHERE owner_id = $1`,
    ),
    [owner.owner_id],
  )
  const lacking = {
    connection: 'disconnected',
    kyc_status: 'verified',
    kyc_session_available: false,
    ready: false,
    missing: ['provider_connection'],
  }
  expect(await stack.onboardingOf(owner)).toMatchObject(lacking)
  await stack.db.rows(
    statement(
      'test_disconnected',
      `UPDATE bindings SET status = 'disconnected', disconnected_at = now(), pending_operation_id = NULL WHERE owner_id = $1`,
    ),
    [owner.owner_id],
  )
  expect(await stack.onboardingOf(owner)).toMatchObject(lacking)
})

test('it waits for no provider: a silent one delays no answer', async () => {
  const owner = await newConnected(credentials.ines)
  const letGo = stack.holdProvider()
  expect(await stack.onboardingOf(owner)).toMatchObject({ connection: 'connected', kyc_status: 'not_started' })
  letGo()
})

test('it makes no provider call, and brings none nearer, however old the stored state is', async () => {
  const owners = [await newConnected(credentials.ines), await newConnected(credentials.daniel), await newConnected()]
  await following()
  owners.push(stack.newOwner())
  stack.clock.setOffsetMs(2 * dayMs)
  const rows = () => Promise.all(owners.map((owner) => stack.stored(owner)))
  const [before, stored] = [{ ...stack.calls }, await rows()]
  for (const owner of owners) await stack.onboardingOf(owner)
  expect([stack.calls, await rows()]).toEqual([before, stored])
  await followAll()
  const [after, read] = [{ ...stack.calls }, await rows()]
  for (const owner of owners) await stack.onboardingOf(owner)
  await followAll()
  expect([stack.calls, await rows()]).toEqual([after, read])
})

/** Runs the background job until nothing is due at the clock's time. */
async function followAll(): Promise<void> {
  while (await following());
}

/** Runs the background job once at the clock's time. */
function following() {
  const unserved = { bus: undefined as never, credentialSealer: stack.sealer, readTimeoutMs: 2_000 }
  const reader = createProviderReader({ ...stack, ...unserved, listSealed })
  return followDue({ ...stack, reads: createKycReads({ ...stack, reader }) })
}

const listSealed = (ids: string[]) =>
  stack.db.rows<{ binding_id: string; provider: string; credentials_sealed: string }>(
    statement(
      'test_sealed',
      `SELECT id AS binding_id, provider, encode(credentials_sealed, 'base64') AS credentials_sealed FROM bindings WHERE id = ANY($1)`,
    ),
    [ids],
  )

const dueOf = async (owner: Principal) => (await stack.stored(owner))?.due_at ?? null
const pauseOf = async (owner: Principal) => Number(await dueOf(owner)) - stack.clock.nowMs()

/** Allows a difference of a fifth. */
async function expectPause(owner: Principal, ms: number): Promise<void> {
  const pauseMs = await pauseOf(owner)
  expect(Math.abs(pauseMs / ms - 1), `${pauseMs} ms, not about ${ms}`).toBeLessThanOrEqual(0.21)
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

test('a new connection is read without a request, and again every hour', async () => {
  const owner = await newConnected(credentials.ines)
  await followAll()
  expect(await stack.stored(owner)).toMatchObject({ status: 'verified' })
  await expectPause(owner, hourMs)
  expect(await stack.onboardingOf(owner)).toMatchObject({ ready: true })
})

test('a verification that lapses makes its owner not ready, although nobody asked since', async () => {
  await stack.tomasz('pass')
  const owner = await newConnected()
  await followAll()
  expect(await stack.onboardingOf(owner)).toMatchObject({ ready: true })
  await stack.tomasz('expire')
  stack.clock.setOffsetMs(90 * minuteMs)
  await followAll()
  expect(await stack.onboardingOf(owner)).toMatchObject({ ready: false, kyc_status: 'expired' })
})

test('a review that takes three days makes its owner ready, although nobody asked since', async () => {
  await stack.tomasz('review')
  const owner = await newConnected()
  await followAll()
  for (const days of [1, 2, 3]) {
    stack.clock.setOffsetMs(days * dayMs)
    await followAll()
    expect(await stack.onboardingOf(owner)).toMatchObject({ ready: false, kyc_status: 'in_review' })
    await expectPause(owner, 15 * minuteMs)
  }
  await stack.tomasz('pass')
  stack.clock.setOffsetMs(3 * dayMs + 20 * minuteMs)
  await followAll()
  expect(await stack.onboardingOf(owner)).toMatchObject({ ready: true })
})

test.each(['refuse', 'expire'] as const)(
  'a verification that ended with %s is followed too, because it may be corrected elsewhere',
  async (ending) => {
    await stack.tomasz(ending)
    const owner = await newConnected()
    await followAll()
    await expectPause(owner, hourMs)
  },
)

test('a client that reads the verification brings no further read nearer', async () => {
  const owner = await newConnected(credentials.ines)
  await followAll()
  stack.clock.setOffsetMs(10 * minuteMs)
  await stack.kycOf(owner)
  await expectPause(owner, hourMs)
  const reviewed = await newConnected(credentials.daniel)
  stack.clock.setOffsetMs(dayMs)
  await stack.kycOf(reviewed)
  await expectPause(reviewed, 15 * minuteMs)
})

test('a visit to the page that verifies is followed closely until it has led to something', async () => {
  await stack.tomasz('refuse')
  const owner = await newConnected()
  const { action_required } = await stack.sessionOf(owner)
  expect(await pauseOf(owner)).toBe(15_000)
  stack.clock.setOffsetMs(20_000)
  await followAll()
  await expectPause(owner, 15_000)
  await stack.end(action_required.url, 'pass')
  stack.clock.setOffsetMs(40_000)
  await followAll()
  expect(await stack.onboardingOf(owner)).toMatchObject({ ready: true })
  await expectPause(owner, hourMs)
})

test('a visit that leads to nothing is followed closely for a quarter of an hour', async () => {
  await stack.tomasz('refuse')
  const owner = await newConnected()
  await stack.sessionOf(owner)
  stack.clock.setOffsetMs(16 * minuteMs)
  await followAll()
  await expectPause(owner, hourMs)
})

test('an unanswered read is repeated in a minute, and a refused one in an hour', async () => {
  await followAll()
  const silent = await newConnected(credentials.ines)
  await stack.fault('drop_before_accept', 'identityStatus', {}, 1)
  await following()
  expect(await pauseOf(silent)).toBe(minuteMs)
  const refused = await newConnected('test-user-nobody')
  await following()
  await expectPause(refused, hourMs)
  stack.clock.setOffsetMs(61_000)
  await followAll()
  expect(await stack.stored(silent)).toMatchObject({ status: 'verified' })
})

test('a connection that ended is read no more, and one that is made again is', async () => {
  const owner = await newConnected(credentials.ines)
  await followAll()
  await stack.disconnect(owner)
  const before = stack.calls.identityStatus
  for (const hours of [2, 4]) {
    stack.clock.setOffsetMs(hours * hourMs)
    await stack.db.rows(statement('test_only', 'UPDATE kyc SET due_at = NULL WHERE owner_id <> $1'), [owner.owner_id])
    await followAll()
  }
  expect([stack.calls.identityStatus, await dueOf(owner)]).toEqual([before, null])
  await stack.connect(owner, credentials.ines)
  await followAll()
  expect(await dueOf(owner)).not.toBeNull()
})

test('two replicas that look at the same time read each owner once', async () => {
  await followAll()
  await Promise.all(Array.from({ length: 6 }, () => newConnected(credentials.ines)))
  const before = stack.calls.identityStatus
  await Promise.all([following(), following(), following()])
  expect(stack.calls.identityStatus).toBe(before + 6)
})

test('without authz the owner’s identity is unknown, so the service is unavailable', async () => {
  await stack.stopAuthz()
  expect(problemOf(await stack.getOnboarding(stack.newOwner())).code).toBe('service_unavailable')
})
