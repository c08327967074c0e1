import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addressOf,
  authentication,
  browse,
  codeOf,
  connect,
  exchange,
  flow,
  locationOf,
  makeAttempt,
  makeBrowser,
  makeOwnerClient,
  redeem,
  textOf,
} from '../test-client.test-helper.ts'
import {
  baseUrl,
  carry,
  makeProof,
  makeProofKey,
  startTestServer,
  type TestServer,
} from '../test-server.test-helper.ts'
import { checkNonce } from './checks/check-nonce.ts'
import { withoutFragment } from './checks/check-response-mode.ts'

const spa = makeOwnerClient('spa', 'answer-spa')
const native = makeOwnerClient('native', 'answer-native')
const origin = 'https://app.example'
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ clients: [spa, native] })
})
afterAll(() => server.close())

async function answerTo(wrong: Record<string, string | undefined>, client = spa) {
  const { parameters } = await makeAttempt(client, wrong)
  return browse(server.replicas[0], makeBrowser(), addressOf(parameters))
}

describe('a refusal goes to the client by its query, with issuer and state', () => {
  test.each([
    ['response type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['response type code id_token', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['response type none', { response_type: 'none' }, 'unsupported_response_type'],
    ['response mode fragment', { response_mode: 'fragment' }, 'unsupported_response_mode'],
    ['response mode jwt', { response_mode: 'jwt' }, 'unsupported_response_mode'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a thumbprint that is none', { dpop_jkt: 'x' }, 'invalid_request'],
    ['claims', { claims: '{"id_token":{}}' }, 'invalid_request'],
    ['authorization_details', { authorization_details: '[]' }, 'invalid_authorization_details'],
    ['a request object', { request: 'a.b.c' }, 'request_not_supported'],
    ['a nonce too long', { nonce: '𝄞'.repeat(65) }, 'invalid_request'],
    ['a nonce with a control character', { nonce: 'a\u0085b' }, 'invalid_request'],
    ['purchases:execute', { scope: 'openid purchases:execute' }, 'invalid_scope'],
  ] as [string, Record<string, string>, string][])('%s', async (_name, wrong, error) => {
    const location = locationOf(await answerTo(wrong))
    expect(location).not.toContain('#')
    const { searchParams } = new URL(location)
    expect(Object.fromEntries(searchParams)).toMatchObject({ error, iss: baseUrl, state: 'state-1' })
  })

  test('with several resources', async () => {
    const { parameters } = await makeAttempt(spa)
    const url = `${addressOf(parameters)}&resource=${encodeURIComponent(baseUrl)}&resource=https://other.test`
    const { searchParams } = new URL(locationOf(await browse(server.replicas[0], makeBrowser(), url)))
    expect(searchParams.get('error')).toBe('invalid_target')
  })
})

describe('a refusal that may not be redirected is a page with the code of OAuth', () => {
  test.each([
    ['an unknown client', { client_id: 'nobody' }, 'invalid_client'],
    ['a redirect that is not registered', { redirect_uri: 'https://app.example/callback/' }, 'invalid_redirect_uri'],
    [
      'a redirect with a query of its own',
      { redirect_uri: 'https://app.example/callback?x=1' },
      'invalid_redirect_uri',
    ],
  ])('%s', async (_name, wrong, code) => {
    const answer = await answerTo(wrong)
    expect([answer.status, answer.headers.some(([name]) => name === 'location')]).toEqual([400, false])
    expect(textOf(answer)).toContain(`<code>${code}</code>`)
    expect(Object.fromEntries(answer.headers)['content-security-policy']).toContain("default-src 'none'")
  })
})

test('a form_post answer posts code, state and issuer to the redirect', async () => {
  const browser = makeBrowser()
  const attempt = await makeAttempt(spa)
  await flow(server.replicas[0], browser, addressOf(attempt.parameters))
  const next = await makeAttempt(spa, { response_mode: 'form_post' })
  const answer = await browse(server.replicas[0], browser, addressOf(next.parameters))
  const page = textOf(answer)
  expect(answer.status).toBe(200)
  expect(page).toContain('action="https://app.example/callback"')
  const fields = Object.fromEntries(
    [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  )
  expect(fields).toEqual({ code: expect.any(String), state: 'state-1', iss: baseUrl })
  expect(Object.fromEntries(answer.headers)['content-security-policy']).toMatch(/script-src 'sha256-/)
  expect((await redeem(server.replicas[0], spa, next, String(fields['code']))).status).toBe(200)
})

test.each([
  ['http://127.0.0.1:49152/callback', true],
  ['http://127.0.0.1/callback', true],
  ['com.example.app:/callback', true],
  ['http://127.0.0.1:49152/other', false],
  ['http://localhost:49152/callback', false],
  ['https://127.0.0.1/callback', false],
])('a native redirect to %s is taken: %s', async (redirect_uri, taken) => {
  const answer = await answerTo({ redirect_uri }, native)
  expect(answer.status).toBe(taken ? 303 : 400)
})

describe('a browser client', () => {
  const ask = async (from: string, members: Record<string, string>) => {
    const headers: [string, string][] = [
      ['origin', from],
      ['dpop', await makeProof(makeProofKey())],
      ['content-type', 'application/x-www-form-urlencoded'],
    ]
    const body = new URLSearchParams({ ...members, ...(await authentication(spa)) }).toString()
    return Object.fromEntries((await carry(server.replicas[0], 'POST', '/oauth/token', headers, body)).headers)
  }

  test('reads answers at its registered origins alone, nonces included', async () => {
    const members = { grant_type: 'refresh_token', refresh_token: 'x' }
    expect(await ask(origin, members)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': expect.stringContaining('DPoP-Nonce'),
      'dpop-nonce': expect.any(String),
    })
    expect((await ask('https://evil.test', members))['access-control-allow-origin']).toBeUndefined()
  })
})

test('authorization_details at the token endpoint are refused', async () => {
  const { code, attempt } = await issueCode()
  const members = {
    grant_type: 'authorization_code',
    code,
    code_verifier: attempt.verifier,
    redirect_uri: attempt.parameters['redirect_uri'] ?? '',
  }
  const answer = await exchange(server.replicas[0], spa, attempt.proofKey, { ...members, authorization_details: '[]' })
  expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_authorization_details' } })
})

async function issueCode() {
  const attempt = await makeAttempt(spa)
  return { attempt, code: codeOf(await flow(server.replicas[0], makeBrowser(), addressOf(attempt.parameters))) }
}

test('one consent page answered twice at once gives one code', async () => {
  const { browser } = await connect(server.replicas[0], spa)
  const { parameters } = await makeAttempt(spa, { prompt: 'consent' })
  const interaction = locationOf(await browse(server.replicas[0], browser, addressOf(parameters)))
  const resume = locationOf(await browse(server.replicas[0], browser, `${interaction}?act=consent`, { method: 'POST' }))
  const back = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      browse(server.replicas[index % 2] ?? server.replicas[0], { cookies: new Map(browser.cookies) }, resume),
    ),
  )
  const codes = back.filter(({ headers }) =>
    headers.some(([name, value]) => name === 'location' && value.includes('code=')),
  )
  expect(codes).toHaveLength(1)
})

test('a fragment becomes a query, whatever the address already has', () => {
  expect(withoutFragment('https://a.test/cb#error=x')).toBe('https://a.test/cb?error=x')
  expect(withoutFragment('https://a.test/cb?y=1#error=x')).toBe('https://a.test/cb?y=1&error=x')
  expect(withoutFragment('https://a.test/cb?y=1')).toBe('https://a.test/cb?y=1')
})

test('a nonce has 1 to 64 scalar values, however many units they take', () => {
  const ctx = { oidc: { requestParamScopes: new Set(['openid']) } } as Parameters<typeof checkNonce>[0]
  for (const nonce of ['a', '𝄞'.repeat(64), 'é '.repeat(32)]) expect(() => checkNonce(ctx, nonce)).not.toThrow()
  for (const nonce of [undefined, '', 'a'.repeat(65), 'a\nb', 'a\u007fb', 'a\u0080b', '\ud800'])
    expect(() => checkNonce(ctx, nonce)).toThrow('invalid_request')
})
