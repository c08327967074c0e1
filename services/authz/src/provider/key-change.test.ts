import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rotateKeys, usualLeadMs } from '../signing-keys/rotate-keys.ts'
import {
  addressOf,
  codeOf,
  connect,
  flow,
  makeAttempt,
  makeBrowser,
  makeOwnerClient,
  redeem,
  refresh,
} from '../test-client.test-helper.ts'
import { carry, readJson, startTestServer, type TestServer } from '../test-server.test-helper.ts'

const spa = makeOwnerClient('spa', 'keys-spa')
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ clients: [spa], dateFollowsClock: true })
})
afterAll(() => server.close())

const kidOf = (token: unknown) => decodeProtectedHeader(String(token)).kid
const published = async () =>
  readJson(await carry(server.replicas[0], 'GET', '/oauth/jwks')) as unknown as JSONWebKeySet

test('a new key signs once its time has come, no request is lost on the way, and older tokens stay verifiable', async () => {
  const [replica] = server.replicas
  const before = await connect(replica, spa)
  const instance = replica.provider()
  const { kid } = await rotateKeys(server.db, server.sealer, { now: server.clock.now(), leadMs: usualLeadMs })
  await server.keys[0].refresh()
  expect((await published()).keys.map((key) => key.kid)).toEqual([kidOf(before.body['access_token']), kid])

  const attempt = await makeAttempt(spa)
  const browser = makeBrowser()
  const code = codeOf(await flow(replica, browser, addressOf(attempt.parameters)))
  const underWay = Array.from({ length: 10 }, () =>
    refresh(replica, spa, before.proofKey, String(before.body['refresh_token'])),
  )
  server.clock.setOffsetMs(usualLeadMs + 1_000)
  await server.keys[0].refresh()
  expect(replica.provider()).not.toBe(instance)
  for (const answer of await Promise.all(underWay)) expect(answer.status).toBe(200)

  server.clock.setOffsetMs(0)
  const after = await redeem(replica, spa, attempt, code)
  expect(after.status).toBe(200)
  expect([kidOf(after.body['access_token']), kidOf(after.body['id_token'])]).toEqual([kid, kid])
  const keys = createLocalJWKSet(await published())
  for (const token of [before.body['access_token'], after.body['access_token']])
    expect((await jwtVerify(String(token), keys)).protectedHeader.alg).toBe('ES256')
})
