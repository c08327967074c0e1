/**
 * The authentication of requests: a token with a proof, a signature, a client certificate. Without them nothing is
 * sent.
 */

import { createPublicKey, generateKeyPairSync, hash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createVerifier, httpbis } from 'http-message-signatures'
import { afterEach, expect, test } from 'vitest'
import { createHttpAdapter } from './adapter.ts'
import { AuthenticationError, readAuthentication } from './authentication-variables.ts'

const p256 = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const ed25519 = generateKeyPairSync('ed25519')
const pemOf = (key: typeof p256.privateKey) => String(key.export({ type: 'pkcs8', format: 'pem' }))

type Received = {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

const servers: Server[] = []
afterEach(() => Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve)))))

/** Answers every request with `answer`, and keeps it. */
async function listen(
  answer: (received: Received, all: readonly Received[]) => [status: number, body: object, headers?: object],
) {
  const received: Received[] = []
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
      }
      received.push(one)
      const [status, body, headers = {}] = answer(one, received)
      response
        .writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers })
        .end(JSON.stringify(body))
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

function variablesFor(authorizationServer: string): Record<string, string> {
  return {
    TOKEN_ISSUER: authorizationServer,
    TOKEN_ENDPOINT: `${authorizationServer}/token`,
    TOKEN_CLIENT_ID: 'financial-agents',
    TOKEN_CLIENT_KEY: pemOf(p256.privateKey),
    TOKEN_CLIENT_KEY_ID: 'key-1',
  }
}

const call = { credentials: 'of-the-person', timeoutMs: 60_000 }
const limits = { connections: 2, connectTimeoutMs: 10_000 }
const partOf = (jwt: string | undefined, part: number) =>
  JSON.parse(Buffer.from(jwt?.split('.')[part] ?? '', 'base64url').toString()) as Record<string, unknown>

test('a token is asked for once, bound to a key, and every request has a proof of its own beside the person', async () => {
  const token = [200, { access_token: 'the-token', token_type: 'DPoP', expires_in: 300 }] as const
  const authorization = await listen((_one, all) =>
    all.length === 1 ? [400, { error: 'use_dpop_nonce' }, { 'dpop-nonce': 'once' }] : [token[0], token[1]],
  )
  const provider = await listen(() => [200, { data: [] }])
  const authentication = readAuthentication(variablesFor(authorization.url))
  const adapter = createHttpAdapter({ ...limits, baseUrl: provider.url, authentication })
  expect(await adapter.accounts(call)).toEqual({ type: 'ok', data: [] })
  expect(await adapter.accounts(call)).toEqual({ type: 'ok', data: [] })
  await adapter.close()

  expect(authorization.received).toHaveLength(2)
  const asked = new URLSearchParams(authorization.received[1]?.body)
  expect(asked.get('grant_type')).toBe('client_credentials')
  expect(partOf(asked.get('client_assertion') ?? '', 0)).toMatchObject({ alg: 'ES256', kid: 'key-1' })
  expect(partOf(authorization.received[1]?.headers['dpop'], 1)).toMatchObject({ nonce: 'once', htm: 'POST' })

  const [first, second] = provider.received
  expect(first?.headers).toMatchObject({ authorization: 'DPoP the-token', 'financial-agents-person': 'of-the-person' })
  const proof = partOf(first?.headers['dpop'], 1)
  expect(proof).toMatchObject({
    htm: 'GET',
    htu: `${provider.url}/provider/v1/accounts`,
    ath: hash('sha256', 'the-token', 'base64url'),
  })
  expect(partOf(second?.headers['dpop'], 1)['jti']).not.toBe(proof['jti'])
})

test('without a token nothing is sent: a submission is unsent, and a read unavailable', async () => {
  const authorization = await listen(() => [401, { error: 'invalid_client' }])
  const provider = await listen(() => [200, {}])
  const authentication = readAuthentication(variablesFor(authorization.url))
  const adapter = createHttpAdapter({ ...limits, baseUrl: provider.url, authentication })
  const submission = {
    ...call,
    kind: 'transfer_grant_revoke',
    reference: 'ours',
    payload: {},
    validUntil: new Date(),
  } as const
  expect(await adapter.submit(submission)).toMatchObject({ type: 'unsent', failureCode: 'provider_unreachable' })
  expect(await adapter.accounts(call)).toEqual({ type: 'unavailable', reason: 'provider_unreachable' })
  await adapter.close()
  expect(provider.received).toEqual([])
})

test('a refused token is not used again, and the refused submission is not sent again', async () => {
  const authorization = await listen((_one, all) => [
    200,
    { access_token: `token-${all.length}`, token_type: 'DPoP', expires_in: 300 },
  ])
  const provider = await listen(() => [401, { error: { code: 'invalid_token' } }])
  const authentication = readAuthentication(variablesFor(authorization.url))
  const adapter = createHttpAdapter({ ...limits, baseUrl: provider.url, authentication })
  const submission = {
    ...call,
    kind: 'transfer_grant_revoke',
    reference: 'ours',
    payload: {},
    validUntil: new Date(),
  } as const
  expect(await adapter.submit(submission)).toMatchObject({ type: 'failed' })
  expect(provider.received).toHaveLength(1)
  await adapter.accounts(call)
  await adapter.close()
  expect(provider.received.map(({ headers }) => headers['authorization'])).toEqual(['DPoP token-1', 'DPoP token-2'])
})

test.each([
  ['Ed25519', ed25519, 'ed25519'],
  ['P-256', p256, 'ecdsa-p256-sha256'],
] as const)('a signature with %s covers method, address, body and person', async (_name, pair, algorithm) => {
  const provider = await listen(() => [200, { data: { type: 'refused', member: 'product_id' } }])
  const authentication = readAuthentication({ SIGNATURE_KEY: pemOf(pair.privateKey), SIGNATURE_KEY_ID: 'signer-1' })
  const adapter = createHttpAdapter({ ...limits, baseUrl: provider.url, authentication })
  await adapter.purchaseQuote({ ...call, service_reference: 'a', product_id: 'b', quantity: 1 })
  await adapter.close()
  const [{ method, path, headers, body } = provider.received[0] as Received] = provider.received
  expect(headers['content-digest']).toBe(`sha-256=:${hash('sha256', body, 'base64')}:`)
  for (const covered of ['"@method"', '"@target-uri"', '"content-digest"', '"authorization"'])
    expect(headers['signature-input']).toContain(covered)
  const verify = (changes: object) =>
    httpbis.verifyMessage(
      {
        keyLookup: async ({ keyid }) =>
          keyid === 'signer-1'
            ? { id: keyid, verify: createVerifier(createPublicKey(pair.privateKey), algorithm) }
            : null,
      },
      { method, url: provider.url + path, headers, ...changes },
    )
  expect(await verify({})).toBe(true)
  expect(await verify({ headers: { ...headers, authorization: 'Bearer of-another' } })).toBe(false)
})

test('a wrong variable is named with what to do, and never with its value', () => {
  const refused: [Record<string, string>, string][] = [
    [{ TLS_CERTIFICATE: 'secret-text' }, 'TLS_CERTIFICATE: give a PEM text'],
    [{ TOKEN_CLIENT_ID: 'secret-text' }, 'TOKEN_ENDPOINT: is needed with TOKEN_CLIENT_ID'],
    [{ SIGNATURE_KEY_ID: 'secret-text' }, 'SIGNATURE_KEY: is needed with SIGNATURE_KEY_ID'],
    [{ ...variablesFor('https://a.example'), TOKEN_CLIENT_KEY: pemOf(ed25519.privateKey) }, 'give a P-256 private key'],
  ]
  for (const [variables, says] of refused) {
    const thrown = () => readAuthentication(variables)
    expect(thrown).toThrow(AuthenticationError)
    expect(thrown).toThrow(says)
    expect(thrown).not.toThrow('secret-text')
  }
  expect(readAuthentication({})).toBeUndefined()
})
