import { hashId } from '@financial-agents/postgres/hash-id'
import { createLog } from '@financial-agents/runtime/log'
import { Provider } from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdapterFactory } from '../provider/adapter.ts'
import { createOwnerDecisions } from '../provider/owner-decisions.ts'
import { makeSigningKey } from '../signing-keys/signing-key.ts'
import { baseUrl, startTestServer, type TestServer } from '../test-server.test-helper.ts'
import { deleteArtifactsOfGrant } from './artifacts.ts'
import { pruneExpired } from './prune.ts'

let server: TestServer
/** The library with the code grant enabled, on this storage. */
let provider: Provider

beforeAll(async () => {
  server = await startTestServer()
  const log = createLog({ service: 'authz', level: 'silent' })
  provider = new Provider(baseUrl, {
    adapter: createAdapterFactory({ ...server, baseUrl, log, decisions: createOwnerDecisions(server) }),
    jwks: { keys: [await makeSigningKey()] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    features: { devInteractions: { enabled: false } },
  })
})
afterAll(() => server.close())

async function saveCode(grantId: string): Promise<string> {
  const code = new provider.AuthorizationCode({ accountId: 'owner', grantId } as never)
  return code.save()
}

async function rows(): Promise<string> {
  const all = await server.db.rows<Record<string, unknown>>({ name: 'test_all', text: 'SELECT * FROM artifacts' })
  const readable = all.map((row) =>
    Object.values(row).map((value) =>
      Buffer.isBuffer(value) ? `${value.toString('latin1')} ${value.toString('base64url')}` : value,
    ),
  )
  return JSON.stringify(readable)
}

describe('an artifact', () => {
  test('is found by its id, and neither id nor content is readable in the database', async () => {
    const value = await saveCode('grant-of-artifact')
    const found = await provider.AuthorizationCode.find(value)
    expect(found).toMatchObject({ accountId: 'owner', grantId: 'grant-of-artifact' })
    const stored = await rows()
    for (const secret of [value, 'owner', 'grant-of-artifact']) expect(stored).not.toContain(secret)
  })

  test('of 50 concurrent consumers has exactly one', async () => {
    const value = await saveCode('grant-1')
    const codes = await Promise.all(Array.from({ length: 50 }, () => provider.AuthorizationCode.find(value)))
    const results = await Promise.allSettled(codes.map(async (code) => code?.consume()))
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.error] : []))
    expect(reasons).toEqual(Array(49).fill('invalid_grant'))
    expect(await provider.AuthorizationCode.find(value)).toMatchObject({ consumed: expect.any(Number) })
  })

  test('goes with its grant, and with itself alone when destroyed', async () => {
    const [first, second, other] = [await saveCode('grant-2'), await saveCode('grant-2'), await saveCode('grant-3')]
    await deleteArtifactsOfGrant(server.db, hashId('grant-2'))
    expect(await provider.AuthorizationCode.find(first)).toBeUndefined()
    expect(await provider.AuthorizationCode.find(second)).toBeUndefined()
    const code = await provider.AuthorizationCode.find(other)
    await code?.destroy()
    expect(await provider.AuthorizationCode.find(other)).toBeUndefined()
  })

  test('is found by uid and by user code', async () => {
    const session = provider.Session.adapter
    await session.upsert('session-1', { jti: 'session-1', uid: 'uid-1' }, 60)
    expect(await session.findByUid('uid-1')).toMatchObject({ jti: 'session-1', uid: 'uid-1' })
    expect(await session.findByUid('uid-2')).toBeUndefined()
    const device = provider.DeviceCode.adapter
    await device.upsert('device-1', { jti: 'device-1', userCode: 'BCDF-GHJK' }, 60)
    expect(await device.findByUserCode('BCDF-GHJK')).toEqual({ jti: 'device-1', userCode: 'BCDF-GHJK' })
    expect(await session.findByUserCode('BCDF-GHJK')).toBeUndefined()
  })

  test('that expired is still found until it is pruned, a day later', async () => {
    const { adapter } = provider.DeviceCode
    await adapter.upsert('device-2', { jti: 'device-2' }, -60)
    await pruneExpired(server.db, server.clock.now())
    expect(await adapter.find('device-2')).toEqual({ jti: 'device-2' })
    await pruneExpired(server.db, new Date(server.clock.nowMs() + 86_400_000))
    expect(await adapter.find('device-2')).toBeUndefined()
  })

  test('moved to the row of another cannot be opened', async () => {
    const { adapter } = provider.DeviceCode
    await adapter.upsert('device-3', { jti: 'device-3' }, 60)
    await adapter.upsert('device-4', { jti: 'device-4' }, 60)
    await server.db.rows({
      name: 'test_move',
      text: 'UPDATE artifacts SET payload_sealed = (SELECT payload_sealed FROM artifacts LIMIT 1)',
    })
    await expect(Promise.all(['device-3', 'device-4'].map((id) => adapter.find(id)))).rejects.toMatchObject({
      error: 'temporarily_unavailable',
    })
  })
})

test('used ids are pruned only after the last moment at which they could be used', async () => {
  const { ReplayDetection } = provider as unknown as {
    ReplayDetection: { unique: (iss: string, jti: string, exp: number) => Promise<boolean> }
  }
  const inAMinute = Math.floor(Date.now() / 1_000) + 60
  expect(await ReplayDetection.unique('client', 'jti', inAMinute)).toBe(true)
  await pruneExpired(server.db, new Date(server.clock.nowMs() + 615_000))
  expect(await ReplayDetection.unique('client', 'jti', inAMinute)).toBe(false)
  await pruneExpired(server.db, new Date(server.clock.nowMs() + 700_000))
  expect(await ReplayDetection.unique('client', 'jti', inAMinute)).toBe(true)
})
