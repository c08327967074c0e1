/** Clients with keys behind an address. A token request uses keys that the library fetches from a real https server. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type HttpsServer, startHttpsServer } from '../registration/https-server.test-helper.ts'
import { registration } from '../registration/registration.ts'
import {
  askToken,
  makeAssertion,
  makeProof,
  makeProofKey,
  makeServiceClient,
  sendToken,
  startTestServer,
  type TestClient,
  type TestServer,
  tokenForm,
} from '../test-server.test-helper.ts'

let server: TestServer
let keys: HttpsServer
let published: { status: number; body: string }

beforeEach(async () => {
  keys = await startHttpsServer((_request, response) => response.writeHead(published.status).end(published.body))
})
afterEach(async () => {
  await Promise.all([server.close(), keys.close()])
})

/** A service account that registered only the address of its keys. */
async function registerByAddress(environment: 'local' | 'test'): Promise<TestClient> {
  server = await startTestServer({ environment })
  const client = makeServiceClient('agent-by-address')
  const { jwks, ...rest } = client.registration as Record<string, unknown>
  published = { status: 200, body: JSON.stringify(jwks) }
  const declared = registration.parse({ ...rest, jwks_uri: `${keys.url}/keys` })
  await server.apply([declared])
  return { ...client, registration: declared }
}

const refused = { status: 401, body: { error: 'invalid_client' } }

/** Tests the authentication of the client, which comes before any challenge. */
async function authenticate(client: TestClient) {
  const [assertion, dpop] = [await makeAssertion(client), await makeProof(makeProofKey())]
  return sendToken(server.replicas[0], { form: tokenForm(assertion), headers: [['dpop', dpop]] })
}

describe('a client whose keys are behind an address', () => {
  test('gets a token at any replica, and another client does not with its own key', async () => {
    const client = await registerByAddress('local')
    for (const replica of server.replicas) expect((await askToken(replica, client)).status).toBe(200)
    const stranger = { ...client, privateKey: makeServiceClient('stranger').privateKey }
    expect(await authenticate(stranger)).toMatchObject(refused)
  })

  test('is refused as one that could not be authenticated where its keys cannot be had', async () => {
    const client = await registerByAddress('local')
    published = { status: 500, body: '' }
    expect(await authenticate(client)).toMatchObject(refused)
  })

  test('is refused where the address is a private one, beyond development', async () => {
    const client = await registerByAddress('test')
    expect(await authenticate(client)).toMatchObject(refused)
  })
})
