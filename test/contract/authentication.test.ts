/**
 * Authentication, over real HTTP through the whole system: the DPoP cases of conformance at the token endpoint and at a
 * resource, ended authority, tokens and nonces of other replicas and environments, and outages of the services that
 * decide.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { getFreePort } from '@financial-agents/servers/ports'
import type { ApiResponse } from '@financial-agents/testkit/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { registerClients } from '../register-clients.ts'
import {
  beneficiaryBody,
  startOtherEnvironment,
  startTestStack,
  type TestStack,
  usualDeadline,
} from '../stack.test-helper.ts'
import {
  createHandClient,
  createKey,
  encode,
  type HandClient,
  type HeaderList,
  type ProofChanges,
  type Sending,
  send,
} from './hand-client.ts'
import { expectProblem } from './problem.ts'

const path = '/v1/operations'
const nowS = () => Math.floor(Date.now() / 1_000)

let stack: TestStack
/** A second environment. */
let other: TestStack
let agent: HandClient

beforeAll(async () => {
  ;[stack, other] = await Promise.all([startTestStack({ processes: ['authz'] }), startOtherEnvironment()])
  agent = await createHandClient(stack, 'ines-agent')
})
afterAll(() => Promise.all([stack.close(), other.close()]))

/** Repeats a request until its answer is as wanted, and returns it. */
async function until(ask: () => Promise<ApiResponse>, wanted: (response: ApiResponse) => boolean, limitMs = 120_000) {
  const begun = performance.now()
  for (;;) {
    const response = await ask()
    if (wanted(response)) return response
    if (performance.now() - begun > limitMs)
      throw new Error(`still ${response.status} ${response.body['code']} after ${limitMs} ms`)
    await delay(20)
  }
}

const otherKey = createKey()
const unsigned = (client: HandClient) => {
  const [, claims] = client.proofFor('GET', path).split('.')
  return `${encode({ typ: 'dpop+jwt', alg: 'none', jwk: client.key.jwk })}.${claims}.`
}

/** Proofs that both endpoints must refuse. */
const wrongProofs: [name: string, changes: (client: HandClient) => ProofChanges][] = [
  ['without typ', () => ({ header: { typ: undefined } })],
  ['with another typ', () => ({ header: { typ: 'JWT' } })],
  ['without alg', () => ({ header: { alg: undefined } })],
  ['with alg none', () => ({ header: { alg: 'none' } })],
  ['with alg RS256', () => ({ header: { alg: 'RS256' } })],
  ['signed by another key', ({ key }) => ({ signer: otherKey, header: { jwk: key.jwk } })],
  ['without jwk', () => ({ header: { jwk: undefined } })],
  ['with a private jwk', ({ key }) => ({ header: { jwk: key.privateKey.export({ format: 'jwk' }) } })],
  ['without jti', () => ({ claims: { jti: undefined } })],
  ['without iat', () => ({ claims: { iat: undefined } })],
  ['without htm', () => ({ claims: { htm: undefined } })],
  ['without htu', () => ({ claims: { htu: undefined } })],
  ['for another method', () => ({ claims: { htm: 'DELETE' } })],
  ['for another path', () => ({ claims: { htu: `${stack.baseUrl}/v1/other` } })],
  ['for another host', () => ({ claims: { htu: `http://evil.example${path}` } })],
  ['made an hour ago', () => ({ claims: { iat: nowS() - 3_600 } })],
  ['made in an hour', () => ({ claims: { iat: nowS() + 3_600 } })],
]

describe('a proof at a resource', () => {
  test.each<[string, () => Sending]>([
    ['as it should be', () => ({})],
    ['made 10 s ago', () => ({ claims: { iat: nowS() - 10 } })],
    ['made in 10 s', () => ({ claims: { iat: nowS() + 10 } })],
    ['that ends later', () => ({ claims: { exp: nowS() + 60, nbf: nowS() - 60 } })],
    ['with the scheme in capitals', () => ({ scheme: 'DPOP' })],
    ['with the scheme in small letters', () => ({ scheme: 'dpop' })],
    ['whose htu has query and fragment', () => ({ claims: { htu: `${stack.baseUrl}${path}?a=b#c` } })],
    ['whose htu is spelt otherwise', () => ({ claims: { htu: `${stack.baseUrl.toUpperCase()}/v1/%6Fperations` } })],
  ])('%s is accepted', async (_name, sending) => {
    expect((await agent.send('GET', path, sending())).status).toBe(200)
  })

  test.each<[string, (client: HandClient) => Sending]>([
    ...wrongProofs,
    ['without ath', () => ({ claims: { ath: undefined } })],
    ['with the ath of another token', () => ({ claims: { ath: 'x'.repeat(43) } })],
    ['past its exp', () => ({ claims: { exp: nowS() - 60 } })],
    ['before its nbf', () => ({ claims: { nbf: nowS() + 600 } })],
    ['by another key than the one of the token', () => ({ signer: otherKey })],
    ['that is no JWS', () => ({ proof: 'a.b' })],
    ['without a signature', (client) => ({ proof: unsigned(client) })],
    ['that is not there', () => ({ proof: null })],
    ['sent twice', () => ({ headers: [['DPoP', agent.proofFor('GET', path)]] })],
  ])('%s is refused', async (_name, sending) => {
    const response = await agent.send('GET', path, sending(agent))
    expectProblem(response, { status: 401, code: 'invalid_dpop_proof' })
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_dpop_proof"')
    expect(response.headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test.each([
    ['none', null],
    ['an invented one', 'A'.repeat(43)],
    ['that of the token endpoint', 'token'],
  ])('with the nonce %s is challenged, and the nonce of the challenge is good', async (_name, nonce) => {
    const given = nonce === 'token' ? ((await agent.requestToken()).headers.get('dpop-nonce') as string) : nonce
    const challenged = await agent.send('GET', path, { nonce: given })
    expectProblem(challenged, { status: 401, code: 'use_dpop_nonce' })
    expect(challenged.headers.get('www-authenticate')).toContain('error="use_dpop_nonce"')
    expect((await agent.send('GET', path)).status).toBe(200)
  })
})

const expectToken = (response: ApiResponse) => {
  expect(response.status, JSON.stringify(response.body)).toBe(200)
  expect(response.body).toMatchObject({ token_type: 'DPoP', expires_in: 300 })
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-request-id')).toMatch(/^[\w.~-]{8,128}$/)
}

describe('a proof at the token endpoint', () => {
  test.each<[string, () => ProofChanges]>([
    ['as it should be', () => ({})],
    ['made 10 s ago', () => ({ claims: { iat: nowS() - 10 } })],
    ['made in 10 s', () => ({ claims: { iat: nowS() + 10 } })],
    ['whose htu has query and fragment', () => ({ claims: { htu: `${stack.baseUrl}/oauth/token?a=b#c` } })],
  ])('%s gets a token', async (_name, changes) => {
    expectToken(await agent.requestToken(changes()))
  })

  test.each(wrongProofs.filter(([name]) => name !== 'for another path'))('%s is refused', async (_name, changes) => {
    const response = await agent.requestToken(changes(agent))
    expect(response.status).toBe(400)
    expect(response.body['error']).toBe('invalid_dpop_proof')
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  })

  test('that is not there is refused, and so are two', async () => {
    for (const changes of [
      { proof: null },
      { headers: [['DPoP', agent.proofFor('POST', '/oauth/token')]] as [string, string][] },
    ]) {
      const response = await agent.requestToken(changes)
      expect([response.status, response.body['error']]).toEqual([400, 'invalid_dpop_proof'])
    }
  })

  test('with a resource nonce is challenged, and the nonce of the challenge is good', async () => {
    const challenged = await agent.requestToken({ claims: { nonce: agent.nonce } })
    expect([challenged.status, challenged.body['error']]).toEqual([400, 'use_dpop_nonce'])
    expectToken(await agent.requestToken())
  })

  test.each<[string, () => Parameters<HandClient['requestToken']>[0], string]>([
    ['an assertion for another audience', () => ({ assertion: { aud: 'https://evil.example' } }), 'invalid_client'],
    [
      'an assertion for the token endpoint',
      () => ({ assertion: { aud: `${stack.baseUrl}/oauth/token` } }),
      'invalid_client',
    ],
    ['an assertion without sub', () => ({ assertion: { sub: undefined } }), 'invalid_client'],
    ['an assertion that ended', () => ({ assertion: { exp: nowS() - 300 } }), 'invalid_client'],
    [
      'an assertion made in two minutes',
      () => ({ assertion: { iat: nowS() + 120, nbf: nowS() + 120, exp: nowS() + 180 } }),
      'invalid_client',
    ],
    [
      'no assertion',
      () => ({ form: { client_assertion: undefined, client_assertion_type: undefined } }),
      'invalid_client',
    ],
    ['another resource', () => ({ form: { resource: 'https://evil.example' } }), 'invalid_target'],
    ['purchases:execute', () => ({ form: { scope: 'purchases:execute' } }), 'invalid_scope'],
    ['another grant', () => ({ form: { grant_type: 'password' } }), 'unsupported_grant_type'],
  ])('in order does not help %s', async (_name, changes, error) => {
    const response = await agent.requestToken(changes())
    expect(response.body['error'], JSON.stringify(response.body)).toBe(error)
    expect([400, 401]).toContain(response.status)
    expect(response.body).not.toHaveProperty('access_token')
  })
})

test('a scope beyond the ceiling is refused', async () => {
  const reader = await createHandClient(stack, 'ines-reader')
  const response = await reader.requestToken({ form: { scope: 'operations:read' } })
  expect([response.status, response.body['error']]).toEqual([400, 'invalid_scope'])
})

describe('two replicas of the gateway', () => {
  let second: Awaited<ReturnType<TestStack['start']>>
  let at: string
  beforeAll(async () => {
    second = await stack.start('gateway', {}, { port: await getFreePort() })
    at = second.url as string
  })

  test('know each other’s nonces; a proof is good at one of them', async () => {
    const proof = agent.proofFor('GET', path)
    expect((await agent.send('GET', path, { proof, at })).status).toBe(200)
    for (const there of [at, stack.baseUrl])
      expectProblem(await agent.send('GET', path, { proof, at: there }), { status: 401, code: 'invalid_dpop_proof' })
  })

  test('sent to both at once, ten times each, it is good once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const proof = agent.proofFor('GET', path)
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          agent.send('GET', path, { proof, at: index % 2 ? at : stack.baseUrl }),
        ),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    }
  })

  test('both refuse a client after its removal, and take its new token when it is back', async () => {
    const bookkeeper = await createHandClient(stack, 'ines-bookkeeper')
    for (const there of [at, stack.baseUrl])
      expect((await bookkeeper.send('GET', path, { at: there })).status).toBe(200)
    await registerClients(stack, (clients) => clients.filter(({ client_id }) => client_id !== 'ines-bookkeeper'))
    for (const there of [at, stack.baseUrl]) {
      const response = await until(
        () => bookkeeper.send('GET', path, { at: there }),
        ({ status }) => status !== 200,
      )
      expectProblem(response, { status: 401, code: 'invalid_token' })
    }
    const refused = await bookkeeper.requestToken()
    expect([refused.status, refused.body['error']]).toEqual([401, 'invalid_client'])
    await registerClients(stack, (clients) => clients)
    const issued = await bookkeeper.requestToken()
    bookkeeper.token = issued.body['access_token']
    await until(
      () => bookkeeper.send('GET', path),
      ({ status }) => status === 200,
    )
  })

  test('a nonce of one that was killed is answered with a new one, and the proof is not accepted', async () => {
    const own = await createHandClient(stack, 'ines-agent')
    own.nonce = (await own.send('GET', path, { at, nonce: null })).headers.get('dpop-nonce') as string
    const proof = own.proofFor('GET', path)
    await second.child.kill()
    expectProblem(await own.send('GET', path, { proof }), { status: 401, code: 'use_dpop_nonce' })
    expect((await own.send('GET', path)).status).toBe(200)
  })
})

const ask = (method: string, target: string, from: string, more: HeaderList = []) =>
  send(stack.baseUrl + target, method, [['Origin', from], ...more])

describe('browser origins', () => {
  const origin = 'https://app.example.test'
  const foreign = 'https://evil.example'
  const preflight: HeaderList = [
    ['Access-Control-Request-Method', 'POST'],
    ['Access-Control-Request-Headers', 'authorization,dpop,idempotency-key'],
  ]

  beforeAll(async () => {
    const spa = {
      client_id: 'browser-app',
      name: 'Browser app',
      profile: 'spa',
      redirect_uris: [`${origin}/callback`],
      origins: [origin],
      scopes: ['operations:read'],
    }
    await registerClients(stack, (clients) => [...clients, spa])
    // Registered origins are read at the start and every 30 s.
    await stack.stopService('gateway')
    await stack.start('gateway', {}, { port: Number(new URL(stack.baseUrl).port) })
    await until(
      () => ask('GET', '/v1/health', origin),
      ({ headers }) => headers.has('access-control-allow-origin'),
    )
    await agent.send('GET', path, { token: null, proof: null })
  })

  test('one that is registered may read every answer, with the headers of the API', async () => {
    const answers = [
      await ask('GET', '/v1/health', origin),
      await ask('GET', path, origin),
      await ask('GET', '/v1/nothing', origin),
      await ask('PUT', path, origin),
      await agent.send('GET', path, { headers: [['Origin', origin]] }),
      await agent.send('POST', '/v1/beneficiaries', {
        headers: [
          ['Origin', origin],
          ['Idempotency-Key', randomUUID()],
        ],
        body: beneficiaryBody(),
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 405, 200, 202])
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.get('vary')).toBe('Origin')
      for (const name of ['Idempotent-Replayed', 'DPoP-Nonce', 'X-Request-Id', 'Retry-After', 'WWW-Authenticate'])
        expect(headers.get('access-control-expose-headers')).toContain(name)
    }
    const allowed = await ask('OPTIONS', '/v1/beneficiaries', origin, preflight)
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-methods')).toBe('POST, GET, HEAD')
    expect(allowed.headers.get('access-control-allow-headers')).toContain('idempotency-key')
  })

  test('one that is registered may read every refusal of the token endpoint, and when it was made', async () => {
    const own = await createHandClient(stack, 'ines-agent')
    const from: HeaderList = [['Origin', origin]]
    const requests: [status: number, error: string | undefined, sent: () => Promise<ApiResponse>][] = [
      [405, undefined, () => ask('GET', '/oauth/token', origin)],
      [405, undefined, () => ask('PUT', '/oauth/token', origin)],
      [405, undefined, () => ask('GET', '/oauth/par', origin)],
      [404, undefined, () => ask('POST', '/oauth/none', origin)],
      [400, 'invalid_dpop_proof', () => own.requestToken({ headers: from, proof: null })],
      [400, 'invalid_dpop_proof', () => own.requestToken({ headers: from, claims: { iat: nowS() + 70 } })],
      [400, 'invalid_dpop_proof', () => own.requestToken({ headers: from, claims: { iat: nowS() - 310 } })],
    ]
    for (const [status, error, sent] of requests) {
      const { headers, body, ...answer } = await sent()
      expect([answer.status, body['error']]).toEqual([status, error])
      expect(headers.get('access-control-allow-origin')).toBe(origin)
      expect(headers.get('access-control-expose-headers')).toContain('Date')
      expect(headers.get('vary')).toBe('Origin')
    }
    // Once the client is known, its own origins alone may read what is said of it. A service account has none.
    const foreign = await own.requestToken({ headers: from })
    expect([foreign.status, foreign.body['error']]).toEqual([400, 'invalid_request'])
    expect(foreign.headers.has('access-control-allow-origin')).toBe(false)
  })

  test('any may read the published documents, and what is missing beside them', async () => {
    for (const [target, status] of [
      ['/.well-known/oauth-protected-resource', 200],
      ['/.well-known/oauth-authorization-server', 200],
      ['/oauth/jwks', 200],
      ['/.well-known/oauth-protected-resource/v1', 404],
      ['/.well-known/openid-configuration/v1', 404],
    ] as const) {
      const answer = await ask('GET', target, foreign)
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, '*'])
      const reported = await ask('OPTIONS', target, foreign, [['Access-Control-Request-Method', 'GET']])
      expect([reported.status, reported.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    }
  })

  test.each([foreign, 'null', `${origin}.evil.example`, `${origin}:444`, origin.toUpperCase(), `${origin}/`, ''])(
    'the origin "%s" gets nothing',
    async (from) => {
      for (const target of ['/v1/health', path, '/v1/nothing', '/oauth/none']) {
        const { headers } = await ask('GET', target, from)
        expect(headers.has('access-control-allow-origin')).toBe(false)
      }
      for (const target of ['/v1/beneficiaries', '/oauth/token']) {
        const { headers } = await ask('OPTIONS', target, from, preflight)
        expect(headers.has('access-control-allow-origin')).toBe(false)
        expect(headers.has('access-control-allow-methods')).toBe(false)
      }
      const { headers } = await ask('POST', '/oauth/token', from)
      expect(headers.has('access-control-allow-origin')).toBe(false)
    },
  )
})

test('a token is refused from the moment at which it expires', async () => {
  const own = await createHandClient(stack, 'ines-agent')
  await stack.moveClock(['gateway'], 301_000)
  await own.send('GET', path, { token: null, proof: null })
  const response = await own.send('GET', path, { claims: { iat: nowS() + 301 } })
  expectProblem(response, { status: 401, code: 'invalid_token' })
  expect(response.body['detail']).toMatch(/expired/)
  await stack.moveClock(['gateway'], 0)
})

test('nothing of another environment is valid here', async () => {
  const stranger = await createHandClient(other, 'ines-agent')
  const here = await createHandClient(stack, 'ines-agent')
  const foreignToken = { token: stranger.token, signer: stranger.key }
  expectProblem(await here.send('GET', path, foreignToken), { status: 401, code: 'invalid_token' })
  // A nonce of the other environment, then a proof for it.
  expectProblem(await here.send('GET', path, { nonce: stranger.nonce }), { status: 401, code: 'use_dpop_nonce' })
  const claims = { htu: `${other.baseUrl}${path}` }
  expectProblem(await here.send('GET', path, { claims }), { status: 401, code: 'invalid_dpop_proof' })
  const response = await stranger.requestToken({ at: stack.baseUrl })
  expect([response.status, response.body['error']]).toEqual([401, 'invalid_client'])
})

test('cut off from authz every protected route closes, open ones stay, and all come back', async () => {
  const own = await createHandClient(stack, 'ines-agent')
  const impatient = { GRANT_FEED_SILENCE_MS: '5000', ...usualDeadline }
  const gateway = await stack.start('gateway', impatient, { port: await getFreePort() })
  onTestFinished(() => gateway.child.stop())
  const at = gateway.url as string
  const send: HandClient['send'] = async (method, target, sending) => {
    const response = await own.send(method, target, { ...sending, at })
    own.nonce = response.headers.get('dpop-nonce') ?? own.nonce
    return response
  }
  await until(
    () => send('GET', path),
    ({ status }) => status === 200,
  )
  const authz = stack.processes.get('authz')?.[0]?.child
  process.kill(authz?.pid as number, 'SIGSTOP')
  try {
    const token = own.requestToken({ at })
    const response = await until(
      () => send('GET', path),
      ({ status }) => status !== 200,
    )
    expectProblem(response, { status: 503, code: 'authorization_unavailable' })
    expect(response.body['retryable']).toBe(true)
    const write = { body: beneficiaryBody(), headers: [['idempotency-key', randomUUID()]] as [string, string][] }
    expectProblem(await send('POST', '/v1/beneficiaries', write), {
      status: 503,
      code: 'authorization_unavailable',
      refreshOnboarding: true,
    })
    const health = await send('GET', '/v1/health', { token: null, proof: null })
    expect([health.status, health.body['status']]).toEqual([200, 'degraded'])
    expect([(await token).status, (await token).body['error']]).toEqual([503, 'temporarily_unavailable'])
  } finally {
    process.kill(authz?.pid as number, 'SIGCONT')
  }
  await until(
    () => send('GET', path),
    ({ status }) => status === 200,
  )
})
