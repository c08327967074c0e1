import { statement } from '@financial-agents/postgres/database'
import { hashId } from '@financial-agents/postgres/hash-id'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { registration } from '../registration/registration.ts'
import { connect, makeOwnerClient, refresh, thumbprintOf } from '../test-client.test-helper.ts'
import { makeProofKey, startTestServer, type TestServer } from '../test-server.test-helper.ts'

const dayMs = 86_400_000
const web = makeOwnerClient('web', 'refresh-web')
const spa = makeOwnerClient('spa', 'refresh-spa')
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ clients: [web, spa], dateFollowsClock: true })
})
beforeEach(() => server.clock.setOffsetMs(0))
afterAll(() => server.close())

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }
const expiry = statement('test_expiry', 'SELECT expires_at AS at FROM artifacts WHERE id_hash = $1')

describe.each([
  ['confidential', web],
  ['public', spa],
])('the refresh token of a %s client', (_kind, client) => {
  test('is bound to the key that it was issued to', async () => {
    const [replica] = server.replicas
    const { body, proofKey } = await connect(replica, client)
    const token = String(body['refresh_token'])
    expect(await refresh(replica, client, makeProofKey(), token)).toMatchObject(invalidGrant)
    const answer = await refresh(replica, client, proofKey, token)
    expect(answer.status).toBe(200)
    const { cnf } = decodeJwt(String(answer.body['access_token']))
    expect(cnf).toEqual({ jkt: await thumbprintOf(proofKey) })
  })

  test('gives fewer scopes where fewer are asked for, never more, and keeps its own', async () => {
    const [replica] = server.replicas
    const { body, proofKey } = await connect(replica, client, {
      wrong: { scope: 'openid accounts:read operations:read' },
    })
    const token = String(body['refresh_token'])
    const fewer = await refresh(replica, client, proofKey, token, { scope: 'accounts:read' })
    expect(fewer).toMatchObject({ status: 200, body: { scope: 'accounts:read' } })
    expect(fewer.body['id_token']).toBeUndefined()
    const more = await refresh(replica, client, proofKey, token, { scope: 'accounts:read spending:withdraw' })
    expect(more).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    const all = await refresh(replica, client, proofKey, token)
    expect(all.body['scope']).toBe('openid accounts:read operations:read')
  })
})

test('without openid is refused when its client may have none of its scopes any more', async () => {
  const { body, proofKey } = await connect(server.replicas[0], spa, {
    wrong: { scope: 'accounts:read', nonce: undefined },
  })
  expect(body['id_token']).toBeUndefined()
  const lowered = registration.parse({ ...spa.registration, scopes: ['openid', 'operations:read'] })
  await server.apply([web.registration, lowered])
  const answer = await refresh(server.replicas[0], spa, proofKey, String(body['refresh_token']))
  await server.apply([web, spa].map((client) => client.registration))
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
})

test('of a client that only signs owners in comes with an access token of no scope', async () => {
  const { body } = await connect(server.replicas[0], spa, { wrong: { scope: 'openid' } })
  expect(body['scope']).toBe('openid')
  expect(decodeJwt(String(body['access_token']))['scope']).toBe('')
})

describe('a refresh token', () => {
  test('ends after 30 days without use', async () => {
    const { body, proofKey } = await connect(server.replicas[0], spa)
    const token = String(body['refresh_token'])
    server.clock.setOffsetMs(29 * dayMs)
    expect((await refresh(server.replicas[0], spa, proofKey, token)).status).toBe(200)
    server.clock.setOffsetMs(58 * dayMs)
    expect((await refresh(server.replicas[1], spa, proofKey, token)).status).toBe(200)
    server.clock.setOffsetMs(88.5 * dayMs)
    expect(await refresh(server.replicas[0], spa, proofKey, token)).toMatchObject(invalidGrant)
  })

  test('ends 90 days after it was issued, however often it is used', async () => {
    const { body, proofKey } = await connect(server.replicas[0], spa)
    const token = String(body['refresh_token'])
    for (const days of [25, 50, 75, 89]) {
      server.clock.setOffsetMs(days * dayMs)
      expect([days, (await refresh(server.replicas[0], spa, proofKey, token)).status]).toEqual([days, 200])
    }
    server.clock.setOffsetMs(90 * dayMs + 60_000)
    expect(await refresh(server.replicas[0], spa, proofKey, token)).toMatchObject(invalidGrant)
  })

  test('is written when an hour of its idle time has passed, not at each use', async () => {
    const { body, proofKey } = await connect(server.replicas[0], spa)
    const token = String(body['refresh_token'])
    const [issued] = await server.db.rows<{ at: Date }>(expiry, [hashId(token)])
    server.clock.setOffsetMs(dayMs / 48)
    await refresh(server.replicas[0], spa, proofKey, token)
    expect(await server.db.rows(expiry, [hashId(token)])).toEqual([issued])
    server.clock.setOffsetMs(dayMs / 12)
    await refresh(server.replicas[0], spa, proofKey, token)
    const [moved] = await server.db.rows<{ at: Date }>(expiry, [hashId(token)])
    expect((moved?.at.getTime() ?? 0) - (issued?.at.getTime() ?? 0)).toBeGreaterThan(dayMs / 13)
  })

  test('used 50 times at once at two replicas gives 50 access tokens: it does not rotate', async () => {
    const { body, proofKey } = await connect(server.replicas[0], spa)
    const token = String(body['refresh_token'])
    const uses = Array.from({ length: 50 }, (_, index) =>
      refresh(server.replicas[index % 2] ?? server.replicas[0], spa, proofKey, token),
    )
    const answers = await Promise.all(uses)
    expect(
      new Set(answers.map(({ status, body: answer }) => `${status} ${answer['refresh_token'] === token}`)),
    ).toEqual(new Set(['200 true']))
    expect(new Set(answers.map(({ body: answer }) => answer['access_token'])).size).toBe(50)
  })

  test.each([
    ['foreign', 'https://api.other.test', 400],
    ['the one it was issued for', 'https://api.example.test', 200],
  ])('is refused or taken with a resource that is %s', async (_name, resource, status) => {
    const { body, proofKey } = await connect(server.replicas[0], spa)
    const answer = await refresh(server.replicas[0], spa, proofKey, String(body['refresh_token']), { resource })
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.body['error']).toBe('invalid_target')
  })

  test('of another client is none', async () => {
    const { body, proofKey } = await connect(server.replicas[0], spa)
    const answer = await refresh(server.replicas[0], web, proofKey, String(body['refresh_token']))
    expect(answer).toMatchObject(invalidGrant)
  })

  test('gives no scope that its client may not have any more', async () => {
    const { body, proofKey } = await connect(server.replicas[0], spa)
    const lowered = registration.parse({ ...spa.registration, scopes: ['openid', 'operations:read'] })
    await server.apply([web.registration, lowered])
    const answer = await refresh(server.replicas[0], spa, proofKey, String(body['refresh_token']))
    await server.apply([web, spa].map((client) => client.registration))
    expect(answer.body['scope']).toBe('openid')
    expect(decodeJwt(String(answer.body['access_token']))['scope']).toBe('')
  })
})

test('is answered 503 where the database breaks off while it is prolonged, and is good afterwards', async () => {
  const [replica] = server.replicas
  const { body, proofKey } = await connect(replica, web)
  const token = String(body['refresh_token'])
  server.clock.setOffsetMs(dayMs)
  const answer = await server.db.transaction(async (tx) => {
    await tx.rows(statement('test_lock_artifacts', 'SELECT FROM artifacts FOR UPDATE'))
    const refreshing = refresh(replica, web, proofKey, token)
    const [holder] = await tx.rows<{ pid: number }>(statement('test_own_pid', 'SELECT pg_backend_pid() AS pid'))
    await expect.poll(() => server.db.rows(breakOff, [holder?.pid])).toHaveLength(1)
    return refreshing
  })
  expect(answer).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } })
  expect((await refresh(replica, web, proofKey, token)).status).toBe(200)
})

const breakOff = statement(
  'test_break_off',
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))',
)
