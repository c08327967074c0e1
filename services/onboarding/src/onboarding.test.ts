/** GET /v1/onboarding, asked as the gateway asks, and what follows from it without anybody waiting. */

import type { Principal } from '@financial-agents/contract/principal'
import { statement } from '@financial-agents/postgres/database'
import { createProviderReader } from '@financial-agents/provider/reader'
import { problemOf } from '@financial-agents/testkit/area'
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

test('a verified owner who is connected is ready, and shown as the last sign-in told', async () => {
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
  ['lapse', 'expired', true],
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

test('it waits for no provider: one that is silent keeps nobody from being answered', async () => {
  const owner = await newConnected(credentials.ines)
  const letGo = stack.holdProvider()
  expect(await stack.onboardingOf(owner)).toMatchObject({ connection: 'connected', kyc_status: 'not_started' })
  letGo()
})

test('it makes no provider call, and no sweep makes one because of it, however old what is stored is', async () => {
  const owners = [await newConnected(credentials.ines), await newConnected(credentials.daniel), await newConnected()]
  await following()
  owners.push(stack.newOwner())
  stack.clock.setOffsetMs(2 * dayMs)
  await following()
  const before = { ...stack.calls }
  const rows = () => Promise.all(owners.map((owner) => stack.stored(owner)))
  const stored = await rows()
  for (const owner of owners) await stack.onboardingOf(owner)
  expect(await rows()).toEqual(stored)
  for (const offsetMs of [0, 1_000, 60_000, dayMs]) {
    stack.clock.setOffsetMs(2 * dayMs + offsetMs)
    await following()
  }
  expect(stack.calls).toEqual(before)
})

/** One look of the sweep, at the time of the clock. */
function following() {
  const unserved = { bus: undefined as never, credentialSealer: stack.sealer, readTimeoutMs: 2_000 }
  const reader = createProviderReader({ ...stack, ...unserved, listSealed })
  return followDue({ ...stack, reads: createKycReads({ ...stack, reader }) })
}

const listSealed = (ids: string[]) =>
  stack.db.rows<{ binding_id: string; credentials_sealed: string }>(
    statement(
      'test_sealed',
      `SELECT id AS binding_id, encode(credentials_sealed, 'base64') AS credentials_sealed FROM bindings WHERE id = ANY($1)`,
    ),
    [ids],
  )

const dueOf = async (owner: Principal) => (await stack.stored(owner))?.due_at ?? null
const inMs = (ms: number) => new Date(stack.clock.nowMs() + ms)

test('a connection that was made is read without anybody asking', async () => {
  const owner = await newConnected(credentials.ines)
  await following()
  expect(await stack.stored(owner)).toMatchObject({ status: 'verified', due_at: null })
  expect(await stack.onboardingOf(owner)).toMatchObject({ ready: true })
})

test.each(['asked', 'connected'])(
  'what is under way when somebody %s is followed closely, then slowly, for a day',
  async (by) => {
    const owner = await newConnected(credentials.daniel)
    await (by === 'asked' ? stack.kycOf(owner) : following())
    expect(await dueOf(owner)).toEqual(inMs(15_000))
    stack.clock.setOffsetMs(20_000)
    await following()
    expect(await dueOf(owner)).toEqual(inMs(15_000))
    stack.clock.setOffsetMs(301_000)
    await following()
    expect(await dueOf(owner)).toEqual(inMs(15 * 60_000))
    stack.clock.setOffsetMs(dayMs + 299_000)
    await following()
    expect(await dueOf(owner)).toEqual(inMs(15 * 60_000))
    stack.clock.setOffsetMs(dayMs + 1_200_000)
    await following()
    expect(await dueOf(owner)).toBeNull()
    stack.clock.setOffsetMs(dayMs + 1_300_000)
    await stack.kycOf(owner)
    expect(await dueOf(owner)).toEqual(inMs(15_000))
  },
)

test('a visit to the page that verifies is followed until it has led to something', async () => {
  await stack.tomasz('refuse')
  const owner = await newConnected()
  const { action_required } = await stack.sessionOf(owner)
  expect(await dueOf(owner)).toEqual(inMs(15_000))
  await stack.end(action_required.url, 'pass')
  stack.clock.setOffsetMs(20_000)
  await following()
  expect(await stack.onboardingOf(owner)).toMatchObject({ ready: true })
  expect(await dueOf(owner)).toBeNull()
})

test('what the provider does not answer is read again in a minute, and what it refuses when somebody asks', async () => {
  await following()
  const silent = await newConnected(credentials.ines)
  await stack.fault('drop_before_accept', 'identity_read', {}, 1)
  await following()
  expect(await dueOf(silent)).toEqual(inMs(60_000))
  const refused = await newConnected('persona-nobody')
  await following()
  expect(await dueOf(refused)).toBeNull()
  stack.clock.setOffsetMs(61_000)
  await following()
  expect(await stack.stored(silent)).toMatchObject({ status: 'verified', due_at: null })
})

test('a connection that ended meanwhile is not read', async () => {
  const owner = await newConnected(credentials.ines)
  await stack.disconnect(owner)
  const before = stack.calls.identityStatus
  await following()
  expect(stack.calls.identityStatus).toBe(before)
  expect(await dueOf(owner)).toBeNull()
})

test('two replicas that look at the same time read each owner once', async () => {
  await following()
  await Promise.all(Array.from({ length: 6 }, () => newConnected(credentials.ines)))
  const before = stack.calls.identityStatus
  await Promise.all([following(), following(), following()])
  expect(stack.calls.identityStatus).toBe(before + 6)
})

test('without authz it is not known who the owner is: the service is out of reach', async () => {
  await stack.stopAuthz()
  expect(problemOf(await stack.getOnboarding(stack.newOwner())).code).toBe('service_unavailable')
})
