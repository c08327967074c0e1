/** POST /v1/kyc/sessions, requested as the gateway does, on two replicas in front of a real fake provider. */

import { randomUUID } from 'node:crypto'
import type { Principal } from '@financial-agents/contract/principal'
import { statement } from '@financial-agents/postgres/database'
import { dataOf, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { pruneSessions } from './kyc-sessions-store.ts'
import { credentials, type Ending, type Session, startVerifying, type Verifying } from './verifying.test-helper.ts'

let stack: Verifying
beforeAll(async () => {
  stack = await startVerifying()
})
afterAll(() => stack.close())
beforeEach(() => stack.tomasz('refuse'))
afterEach(async () => {
  await stack.clearFaults()
  stack.clock.setOffsetMs(0)
})

/** Returns an owner whose papers could not be read and who may show them again. */
async function newConnected(as?: string): Promise<Principal> {
  const owner = stack.newOwner()
  await stack.connect(owner, as)
  return owner
}

const later = (ms = 3_000) => stack.clock.setOffsetMs(ms)

test('a session is the address of the provider’s page, and later reads show the result of the visit', async () => {
  const owner = await newConnected()
  const session = await stack.sessionOf(owner)
  const { url, expires_at } = session.action_required
  expect(session).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{14}7/),
    action_required: { kind: 'kyc_session', url, expires_at, poll_after_ms: expect.any(Number) },
  })
  expect(await (await fetch(url)).text()).toContain('Show your papers')
  await stack.end(url, 'pass')
  later()
  expect(await stack.kycOf(owner)).toMatchObject({ status: 'verified' })
})

test('while a visit is open, the same client gets it again, on every request and replica', async () => {
  const owner = await newConnected()
  const all = await Promise.all(Array.from({ length: 50 }, () => stack.sessionOf(owner)))
  const reported = (session: Session) => JSON.stringify(session)
  expect(new Set(all.map(reported)).size).toBe(1)
  later()
  expect(await stack.sessionOf(owner)).toEqual(all[0])
  expect(await stack.sessionsOf(owner)).toHaveLength(1)
})

test('another client of the owner, and another owner, are given visits of their own', async () => {
  const [one, other] = [await newConnected(), await newConnected()]
  const sessions = [
    await stack.sessionOf(one),
    await stack.sessionOf({ ...one, client_id: 'client-two' }),
    await stack.sessionOf(other),
  ]
  expect(new Set(sessions.map(({ id }) => id)).size).toBe(3)
  expect(new Set(sessions.map(({ action_required: { url } }) => url)).size).toBe(3)
  expect((await stack.sessionsOf(one)).map(({ client_id }) => client_id)).toEqual(['client-one', 'client-two'])
})

test.each<Ending>(['refuse', 'expire'])(
  'a visit that ended with %s is over: the next one is another',
  async (ending) => {
    const owner = await newConnected()
    const first = await stack.sessionOf(owner)
    await stack.end(first.action_required.url, ending)
    later()
    const second = await stack.sessionOf(owner)
    expect(second.id).not.toBe(first.id)
    expect(second.action_required.url).not.toBe(first.action_required.url)
  },
)

test('a visit that was only begun goes on', async () => {
  const owner = await newConnected()
  const first = await stack.sessionOf(owner)
  await stack.end(first.action_required.url, 'leave')
  later()
  expect(await stack.sessionOf(owner)).toEqual(first)
})

test('a visit that is over by its time, or was made by another connection, is not given again', async () => {
  const owner = await newConnected()
  await stack.fault('expire', 'identity_check', {}, 1)
  const expired = await stack.sessionOf(owner)
  const open = await stack.sessionOf(owner)
  expect(open.id).not.toBe(expired.id)
  await stack.disconnect(owner)
  await stack.connect(owner)
  const next = await stack.sessionOf(owner)
  expect([expired.id, open.id]).not.toContain(next.id)
})

test('a lost answer is asked for again under the same reference', async () => {
  const owner = await newConnected()
  await stack.fault('accept_drop_reply', 'identity_check', {}, 1)
  expect(problemOf(await stack.openSession(owner)).code).toBe('provider_unavailable')
  const [kept, ...more] = await stack.sessionsOf(owner)
  expect([kept?.expires_at, more]).toEqual([null, []])
  expect((await stack.sessionOf(owner)).id).toBe(kept?.id)
})

test('the visit is committed before the provider is asked', async () => {
  const owner = await newConnected()
  await stack.kycOf(owner)
  const before = stack.calls.startIdentityCheck
  const letGo = stack.holdProvider()
  const opening = stack.openSession(owner)
  await expect.poll(() => stack.calls.startIdentityCheck).toBe(before + 1)
  expect(await stack.sessionsOf(owner)).toMatchObject([{ expires_at: null }])
  letGo()
  expect(dataOf(await opening)).toMatchObject({ id: (await stack.sessionsOf(owner))[0]?.id })
})

test('without a connection there is no page', async () => {
  const owner = stack.newOwner()
  expect(problemOf(await stack.openSession(owner)).code).toBe('provider_connection_unavailable')
  await stack.connect(owner)
  await stack.disconnect(owner)
  expect(problemOf(await stack.openSession(owner)).code).toBe('provider_connection_unavailable')
  expect(await stack.sessionsOf(owner)).toEqual([])
})

test.each([
  ['verified', credentials.ines],
  ['under review', credentials.daniel],
])('who is %s has nothing to verify, and nothing is written', async (_status, as) => {
  const owner = await newConnected(as)
  expect(problemOf(await stack.openSession(owner)).code).toBe('kyc_session_unavailable')
  expect(await stack.sessionsOf(owner)).toEqual([])
})

test('a refused page is unavailable, and the next request uses another reference', async () => {
  const owner = await newConnected()
  await stack.fault('refuse', 'identity_check', {}, 1)
  expect(problemOf(await stack.openSession(owner)).code).toBe('kyc_session_unavailable')
  const [refused] = await stack.sessionsOf(owner)
  expect((await stack.sessionOf(owner)).id).not.toBe(refused?.id)
})

test('no visit is opened if the provider does not return the verification', async () => {
  const owner = await newConnected()
  await stack.fault('drop_before_accept', 'identityStatus', {}, 1)
  expect(problemOf(await stack.openSession(owner)).code).toBe('provider_unavailable')
  expect(await stack.sessionsOf(owner)).toEqual([])
})

test('an owner gets a limited number of pages a day, over all clients', async () => {
  const owner = await newConnected()
  for (let time = 0; time < 20; time += 1) await stack.sessionOf({ ...owner, client_id: `client-${time}` })
  const refused = problemOf(await stack.openSession({ ...owner, client_id: 'client-20' }))
  expect(refused).toMatchObject({ code: 'kyc_session_unavailable', detail: expect.stringContaining('20 pages') })
  dataOf(await stack.openSession({ ...owner, client_id: 'client-19' }))
  later(86_400_000 + 60_000)
  dataOf(await stack.openSession({ ...owner, client_id: 'client-20' }))
})

test('the address is in no log and no table', async () => {
  const owner = await newConnected()
  const { action_required } = await stack.sessionOf(owner)
  const token = new URL(action_required.url).pathname.split('/').at(-1) ?? ''
  expect(token.length).toBeGreaterThan(16)
  expect(stack.lines.join('')).not.toContain(token)
  const rows = await stack.db.rows(
    statement(
      'test_tables',
      `SELECT to_jsonb(s)::text FROM kyc_sessions s UNION ALL SELECT to_jsonb(k)::text FROM kyc k
       UNION ALL SELECT to_jsonb(c)::text FROM kyc_changes c UNION ALL SELECT to_jsonb(b)::text FROM bindings b`,
    ),
  )
  expect(rows.length).toBeGreaterThan(3)
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('nothing of the provider’s own is in an answer or a log line', async () => {
  const owner = await newConnected()
  const session = await stack.sessionOf(owner)
  const { url: _url, ...shown } = session.action_required
  const said = JSON.stringify([{ ...session, action_required: shown }, await stack.kycOf(owner), stack.lines])
  expect(said).not.toMatch(/idc_|per_tomasz|testUser-/)
})

test('sessions are pruned by their age', async () => {
  const owner = await newConnected()
  await stack.sessionOf(owner)
  const [row] = await stack.sessionsOf(owner)
  const opened = Number((row as unknown as { created_at: Date }).created_at)
  await pruneSessions(stack.db, new Date(opened), 500)
  expect(await stack.sessionsOf(owner)).toHaveLength(1)
  await pruneSessions(stack.db, new Date(opened + 1), 500)
  expect(await stack.sessionsOf(owner)).toEqual([])
})

test('a client whose own connection ended neither opens a session nor reads over the one that the owner has now', async () => {
  const owner = await newConnected()
  const before = await stack.kycOf(owner)
  later()
  const asked = { ...stack.calls }
  const stopped = { ...owner, binding_id: randomUUID() }
  expect(problemOf(await stack.openSession(stopped)).code).toBe('provider_connection_unavailable')
  expect(await stack.kycOf(stopped)).toEqual(before)
  expect(stack.calls).toEqual(asked)
})
