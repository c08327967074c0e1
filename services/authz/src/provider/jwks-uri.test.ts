/**
 * Clients with keys behind an address, at two replicas. The keys come from a real https server. The clock stands until a test
 * moves it.
 */

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AuthorizationServer } from '../authorization-server.ts'
import { type HttpsServer, startHttpsServer } from '../registration/https-server.test-helper.ts'
import { type Registration, registration } from '../registration/registration.ts'
import { rotateKeys } from '../signing-keys/rotate-keys.ts'
import { authentication, makeAttempt, makeOwnerClient, redirectUri } from '../test-client.test-helper.ts'
import {
  askToken,
  carry,
  makeAssertion,
  makeProof,
  makeProofKey,
  makeServiceClient,
  readJson,
  sendToken,
  startTestServer,
  type TestClient,
  type TestServer,
  tokenForm,
} from '../test-server.test-helper.ts'

type Answer = (
  send: (status: number, body?: string, headers?: Record<string, string>) => void,
  request: IncomingMessage,
) => void

let server: TestServer
let keys: HttpsServer
let answer: Answer
let asked: string[]

beforeEach(async () => {
  asked = []
  keys = await startHttpsServer((request, response) => {
    asked.push(request.url ?? '')
    answer((status, body = '', headers = {}) => response.writeHead(status, headers).end(body), request)
  })
})
afterEach(async () => {
  await Promise.all([server.close(), keys.close()])
})

const setOf = (...clients: TestClient[]) =>
  JSON.stringify({ keys: clients.flatMap(({ registration: own }) => ('jwks' in own ? (own.jwks?.keys ?? []) : [])) })
const publish = (...clients: TestClient[]) => {
  answer = (send) => send(200, setOf(...clients))
}
const fail: Answer = (send) => send(404)

/** Two key pairs of one client, of which only the address is registered. */
function makePairs(make: (clientId: string) => TestClient): {
  declared: Registration
  old: TestClient
  fresh: TestClient
} {
  const [old, fresh] = [make('agent'), make('agent')]
  const { jwks: _jwks, ...rest } = old.registration as Record<string, unknown>
  return { declared: registration.parse({ ...rest, jwks_uri: `${keys.url}/keys` }), old, fresh }
}

async function start(make = makeServiceClient, environment: 'local' | 'test' = 'local') {
  server = await startTestServer({ environment, clock: createFrozenClock(), dateFollowsClock: true })
  const pairs = makePairs(make)
  await server.apply([pairs.declared])
  publish(pairs.old)
  return pairs
}

/** Moves the clock to a time after the start. */
const at = (seconds: number) => server.clock.setOffsetMs(seconds * 1_000)

/** The status of a request that gets as far as its client: 401 exactly if the client is not authenticated. */
async function statusAt(path: string, client: TestClient, replica = 0): Promise<number> {
  const { parameters } = await makeAttempt(client)
  const members = { ...parameters, ...(await authentication(client)), token: randomUUID(), grant_type: 'x' }
  const proof: [string, string][] = path === '/oauth/token' ? [['dpop', await makeProof(makeProofKey())]] : []
  const headers: [string, string][] = [['content-type', 'application/x-www-form-urlencoded'], ...proof]
  const sent = await carry(
    server.replicas[replica] as AuthorizationServer,
    'POST',
    path,
    headers,
    new URLSearchParams(members).toString(),
  )
  if (sent.status === 401) expect(readJson(sent)['error']).toBe('invalid_client')
  return sent.status
}

/** The status of a correct token request at each replica. */
const tokens = (client: TestClient) =>
  Promise.all(server.replicas.map(async (replica) => (await askTokenOf(replica, client)).status))

/** A token request whose first part, which fetches the nonce, may already be refused. */
async function askTokenOf(replica: AuthorizationServer, client: TestClient) {
  const proof = await makeProof(makeProofKey())
  const form = tokenForm(await makeAssertion(client))
  const first = await sendToken(replica, { form, headers: [['dpop', proof]] })
  return first.status === 401 ? first : askToken(replica, client)
}

describe('a client whose keys are behind an address', () => {
  test('gets a token at any replica, and another client does not with its own key', async () => {
    const { old } = await start()
    expect(await tokens(old)).toEqual([200, 200])
    const stranger = { ...old, privateKey: makeServiceClient('stranger').privateKey }
    expect(await tokens(stranger)).toEqual([401, 401])
    expect(asked).toEqual(['/keys', '/keys'])
  })

  test('is authenticated by the published keys alone from a minute on after they were read, at any replica', async () => {
    const { old, fresh } = await start()
    expect(await tokens(old)).toEqual([200, 200])
    publish(fresh)
    at(59.999)
    expect(await tokens(old)).toEqual([200, 200])
    expect(asked).toHaveLength(2)
    at(60)
    expect(await tokens(old)).toEqual([401, 401])
    expect(await tokens(fresh)).toEqual([200, 200])
    expect(asked).toHaveLength(4)
  })

  test('is not authenticated by a key id that was withdrawn while another key has it', async () => {
    const { old, fresh } = await start()
    const signed = async (client: TestClient) =>
      (
        await sendToken(server.replicas[0], {
          form: tokenForm(await makeAssertion(client, {}, { kid: 'agent-1' })),
          headers: [['dpop', await makeProof(makeProofKey())]],
        })
      ).status
    expect(await signed(old)).toBe(400)
    publish(fresh)
    at(61)
    expect([await signed(old), await signed(fresh)]).toEqual([401, 400])
  })

  test('keeps no key when it publishes an empty set', async () => {
    const { old } = await start()
    expect(await tokens(old)).toEqual([200, 200])
    publish()
    at(61)
    expect(await tokens(old)).toEqual([401, 401])
    answer = fail
    at(125)
    expect(await tokens(old)).toEqual([401, 401])
  })

  test.each<[string, Answer]>([
    ['is gone', (send) => send(404)],
    ['fails', (send) => send(500)],
    ['leads elsewhere', (send) => send(302, '', { location: '/others' })],
    ['answers a page', (send) => send(200, '<html></html>')],
    ['answers no key set', (send) => send(200, '{"keys":1}')],
    ['answers too much', (send) => send(200, ' '.repeat(70_000))],
    ['closes the connection', (_send, request) => request.socket.destroy()],
  ])('keeps them for five minutes more, and no longer, while its address %s', async (_name, failure) => {
    const { old, fresh } = await start()
    expect(await tokens(old)).toEqual([200, 200])
    answer = failure
    for (const seconds of [60, 200, 359.999]) {
      at(seconds)
      expect(await tokens(old)).toEqual([200, 200])
    }
    at(360)
    expect(await tokens(old)).toEqual([401, 401])
    at(100_000)
    expect(await tokens(old)).toEqual([401, 401])
    publish(fresh)
    at(100_001)
    expect(await tokens(old)).toEqual([401, 401])
    expect(await tokens(fresh)).toEqual([200, 200])
  })

  test('is refused where its keys could never be had, and served as soon as they can', async () => {
    const { old } = await start()
    answer = fail
    expect(await tokens(old)).toEqual([401, 401])
    publish(old)
    at(1)
    expect(await tokens(old)).toEqual([200, 200])
  })

  test('is refused where the address is a private one, beyond development', async () => {
    const { old } = await start(makeServiceClient, 'test')
    expect(await tokens(old)).toEqual([401, 401])
    expect(asked).toEqual([])
  })

  test('is asked for its keys once by requests that arrive together, and once a second while they fail', async () => {
    const { old } = await start()
    const many = () => Promise.all(Array.from({ length: 8 }, () => statusAt('/oauth/token', old)))
    expect(new Set(await many())).toEqual(new Set([400]))
    expect(asked).toHaveLength(1)
    answer = fail
    at(60)
    expect(new Set(await many())).toEqual(new Set([400]))
    expect(new Set(await many())).toEqual(new Set([400]))
    expect(asked).toHaveLength(2)
    at(61)
    await many()
    expect(asked).toHaveLength(3)
  })

  test('has the keys of its new address once its declaration changes, and never those of the former one', async () => {
    const { declared, old, fresh } = await start()
    expect(await tokens(old)).toEqual([200, 200])
    publish(fresh)
    await server.apply([registration.parse({ ...declared, jwks_uri: `${keys.url}/others` })])
    expect(await tokens(old)).toEqual([401, 401])
    expect(await tokens(fresh)).toEqual([200, 200])
    const { jwks_uri: _uri, ...rest } = declared as Record<string, unknown>
    await server.apply([registration.parse({ ...rest, jwks: JSON.parse(setOf(old)) })])
    expect(await tokens(old)).toEqual([200, 200])
    expect(await tokens(fresh)).toEqual([401, 401])
  })

  test('keeps the age of its keys when something else of its declaration changes, or the keys of this server', async () => {
    const { declared, old, fresh } = await start()
    expect(await tokens(old)).toEqual([200, 200])
    publish(fresh)
    at(59)
    await server.apply([registration.parse({ ...declared, name: 'Renamed' })])
    await rotateKeys(server.db, server.sealer, { now: server.clock.now(), leadMs: 0 })
    for (const own of server.keys) await own.refresh()
    expect(await tokens(old)).toEqual([200, 200])
    expect(asked).toHaveLength(2)
    at(60)
    expect(await tokens(old)).toEqual([401, 401])
  })

  test('has no fresh keys by a clock that was set back', async () => {
    const { old, fresh } = await start()
    expect(await tokens(old)).toEqual([200, 200])
    publish(fresh)
    at(-1)
    expect(await tokens(old)).toEqual([401, 401])
  })
})

test.each(['/oauth/token', '/oauth/par', '/oauth/revoke', '/oauth/device'])(
  'a withdrawn key authenticates at no replica for %s, nor does the key of an address that stays away',
  async (path) => {
    const { old, fresh } = await start((clientId) => makeOwnerClient('web', clientId, { redirect_uris: [redirectUri] }))
    const statuses = async (client: TestClient) => [await statusAt(path, client), await statusAt(path, client, 1)]
    expect(await statuses(old)).not.toContain(401)
    publish(old, fresh)
    at(61)
    expect([...(await statuses(old)), ...(await statuses(fresh))]).not.toContain(401)
    publish(fresh)
    at(122)
    expect(await statuses(old)).toEqual([401, 401])
    expect(await statuses(fresh)).not.toContain(401)
    answer = fail
    at(122 + 359)
    expect(await statuses(fresh)).not.toContain(401)
    at(122 + 361)
    expect(await statuses(fresh)).toEqual([401, 401])
  },
)

test('a registered key that a new declaration replaces authenticates at no replica from then on', async () => {
  const { old, fresh } = await start()
  await server.apply([old.registration])
  expect(await tokens(old)).toEqual([200, 200])
  await server.apply([fresh.registration])
  expect(await tokens(old)).toEqual([401, 401])
  expect(await tokens(fresh)).toEqual([200, 200])
  expect(asked).toEqual([])
})
