import { randomUUID } from 'node:crypto'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addressOf,
  authorizeUrl,
  type Browser,
  browse,
  codeOf,
  connect,
  flow,
  locationOf,
  makeAttempt,
  makeBrowser,
  makeOwnerClient,
  push,
  redeem,
  textOf,
} from '../test-client.test-helper.ts'
import { makeAssertion, makeProof, makeProofKey, startTestServer, type TestServer } from '../test-server.test-helper.ts'

const web = makeOwnerClient('web', 'par-web')
const other = makeOwnerClient('web', 'par-other')
const spa = makeOwnerClient('spa', 'par-spa')
let server: TestServer
/** A browser whose owner has signed in and consented, so an authorization request is answered at once. */
let browser: Browser

beforeAll(async () => {
  server = await startTestServer({ clients: [web, other, spa], dateFollowsClock: true, clock: createFrozenClock() })
  browser = (await connect(server.replicas[0], web)).browser
})
afterAll(() => server.close())

const refused = (answer: Awaited<ReturnType<typeof browse>>, code: string) => {
  expect(answer.status).toBe(400)
  expect(textOf(answer)).toContain(`<code>${code}</code>`)
  expect(answer.headers.find(([name]) => name === 'location')).toBeUndefined()
}

describe('a pushed request', () => {
  test.each([
    [295_000, true],
    [301_000, false],
  ])('lives five minutes: after %i ms it is taken: %s', async (laterMs, taken) => {
    const { parameters } = await makeAttempt(web)
    const { status, body } = await push(server.replicas[0], web, parameters)
    expect([status, body]).toEqual([
      201,
      { expires_in: 300, request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:/) },
    ])
    const url = addressOf({ client_id: web.clientId, request_uri: String(body['request_uri']) })
    server.clock.setOffsetMs(laterMs)
    const answer = await browse(server.replicas[1], makeBrowser(), url)
    server.clock.setOffsetMs(0)
    if (taken) expect(locationOf(answer)).toMatch(/^\/interaction\//)
    else refused(answer, 'invalid_request_uri')
  })

  test('may be opened again until its authorization completes, and then no more', async () => {
    const [replica, second] = server.replicas
    const attempt = await makeAttempt(web)
    const url = await authorizeUrl(replica, web, attempt)
    expect(locationOf(await browse(replica, makeBrowser(), url))).toMatch(/^\/interaction\//)
    const code = codeOf(await flow(second, makeBrowser(), url))
    refused(await browse(replica, browser, url), 'invalid_request_uri')
    expect((await redeem(replica, web, attempt, code)).status).toBe(200)
  })

  test('opened 50 times at once by two replicas completes once', async () => {
    const url = await authorizeUrl(server.replicas[0], web, await makeAttempt(web))
    const opened = Array.from({ length: 50 }, (_, index) =>
      browse(server.replicas[index % 2] ?? server.replicas[0], { cookies: new Map(browser.cookies) }, url),
    )
    const locations = (await Promise.all(opened)).map(
      (answer) => answer.headers.find(([name]) => name === 'location')?.[1],
    )
    expect(locations.filter((location) => location?.includes('code='))).toHaveLength(1)
  })

  test('is bound to the client that pushed it', async () => {
    const { body } = await push(server.replicas[0], web, (await makeAttempt(web)).parameters)
    const url = addressOf({ client_id: other.clientId, request_uri: String(body['request_uri']) })
    const answer = await browse(server.replicas[0], makeBrowser(), url)
    expect(answer.status).toBe(400)
  })

  test('takes the key of a proof where it names none, and refuses a proof of another', async () => {
    const [replica] = server.replicas
    const proofKey = makeProofKey()
    const htu = 'https://api.example.test/oauth/par'
    const attempt = await makeAttempt(web, { dpop_jkt: undefined }, proofKey)
    const challenge = await push(replica, web, attempt.parameters, [['dpop', await makeProof(proofKey, { htu })]])
    expect(challenge.body['error']).toBe('use_dpop_nonce')
    const nonce = challenge.headers.get('dpop-nonce') ?? ''
    const { body } = await push(replica, web, attempt.parameters, [['dpop', await makeProof(proofKey, { htu, nonce })]])
    const url = addressOf({ client_id: web.clientId, request_uri: String(body['request_uri']) })
    const code = codeOf(await flow(replica, browser, url))
    expect((await redeem(replica, web, attempt, code)).status).toBe(200)

    const foreign = await makeProof(makeProofKey(), { htu, nonce })
    const mismatch = await push(replica, web, (await makeAttempt(web)).parameters, [['dpop', foreign]])
    expect(mismatch).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    const old = await makeProof(proofKey, { htu, nonce, iat: Math.floor(Date.now() / 1_000) - 3_600 })
    expect(await push(replica, web, attempt.parameters, [['dpop', old]])).toMatchObject({
      body: { error: 'invalid_dpop_proof' },
    })
  })
})

test('a public client may not push, and a confidential one must', async () => {
  const pushed = await push(server.replicas[0], spa, (await makeAttempt(spa)).parameters)
  expect(pushed).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } })
  const { parameters } = await makeAttempt(web)
  const direct = new URL(locationOf(await browse(server.replicas[0], makeBrowser(), addressOf(parameters))))
  expect(Object.fromEntries(direct.searchParams)).toMatchObject({
    error: 'invalid_request',
    state: 'state-1',
    iss: 'https://api.example.test',
  })
})

test.each([
  ['request_uri', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'invalid_request'],
  ['request', { request: 'a.b.c' }, 'request_not_supported'],
  ['claims', { claims: '{}' }, 'invalid_request'],
  ['authorization_details', { authorization_details: '[]' }, 'invalid_authorization_details'],
  ['a scope outside the ceiling', { scope: 'openid cards:manage' }, 'invalid_scope'],
  ['purchases:execute', { scope: 'openid purchases:execute' }, 'invalid_scope'],
  ['offline_access', { scope: 'openid offline_access' }, 'invalid_scope'],
  ['a foreign resource', { resource: 'https://api.other.test' }, 'invalid_target'],
  ['response mode fragment', { response_mode: 'fragment' }, 'unsupported_response_mode'],
  ['a redirect that is not registered', { redirect_uri: 'https://app.example/other' }, 'invalid_request'],
] as [string, Record<string, string>, string][])('%s is refused where it is pushed', async (_name, wrong, error) => {
  const { parameters } = await makeAttempt(web, wrong)
  expect(await push(server.replicas[0], web, parameters)).toMatchObject({ status: 400, body: { error } })
})

test('prompt=none with max_age=0 is pushed as it is: the owner would have to sign in', async () => {
  const url = await authorizeUrl(server.replicas[0], web, await makeAttempt(web, { prompt: 'none', max_age: '0' }))
  const location = new URL(locationOf(await browse(server.replicas[0], browser, url)))
  expect(location.searchParams.get('error')).toBe('login_required')
})

test('an assertion and a proof may have the same jti in a pushed request, too', async () => {
  const [replica] = server.replicas
  const proofKey = makeProofKey()
  const htu = 'https://api.example.test/oauth/par'
  const { parameters } = await makeAttempt(web, {}, proofKey)
  const challenge = await push(replica, web, parameters, [['dpop', await makeProof(proofKey, { htu })]])
  const nonce = challenge.headers.get('dpop-nonce') ?? ''
  const jti = randomUUID()
  const proof: [string, string] = ['dpop', await makeProof(proofKey, { htu, nonce, jti })]
  const client_assertion = await makeAssertion(web, { jti })
  expect((await push(replica, web, parameters, [proof], { client_assertion })).status).toBe(201)
  expect(await push(replica, web, parameters, [proof])).toMatchObject({ body: { error: 'invalid_dpop_proof' } })
  expect(await push(replica, web, parameters, [], { client_assertion })).toMatchObject({
    body: { error: 'invalid_client' },
  })
})

describe('a parameter without a value counts as omitted', () => {
  const empty = ['request_uri', 'request', 'client_secret', 'authorization_details', 'claims', 'max_age', 'resource']

  test.each(empty)('%s= in a pushed request', async (name) => {
    const { parameters } = await makeAttempt(web)
    expect((await push(server.replicas[0], web, parameters, [], { [name]: '' })).status).toBe(201)
  })

  test.each([...empty, 'client_assertion', 'client_assertion_type'])('%s= in a direct request', async (name) => {
    const { parameters } = await makeAttempt(spa)
    const answer = await browse(server.replicas[0], makeBrowser(), addressOf({ ...parameters, [name]: '' }))
    expect(locationOf(answer)).toMatch(/^\/interaction\//)
  })

  test.each([...empty, 'client_assertion', 'client_assertion_type'])('%s= in a token request', async (name) => {
    const attempt = await makeAttempt(spa)
    const code = codeOf(await flow(server.replicas[0], browser, addressOf(attempt.parameters)))
    expect((await redeem(server.replicas[0], spa, attempt, code, { [name]: '' })).status).toBe(200)
  })

  test('a confidential client that sends an empty request_uri has not pushed', async () => {
    const { parameters } = await makeAttempt(web)
    const url = addressOf({ ...parameters, request_uri: '' })
    const location = new URL(locationOf(await browse(server.replicas[0], makeBrowser(), url)))
    expect(location.searchParams.get('error')).toBe('invalid_request')
  })
})

describe('max_age without openid', () => {
  const signInOnly = { scope: 'accounts:read', nonce: undefined }

  test.each(['0', '60'])('%s is pushed and kept until the request is opened', async (max_age) => {
    const attempt = await makeAttempt(web, { ...signInOnly, prompt: 'none', max_age })
    const url = await authorizeUrl(server.replicas[0], web, attempt)
    server.clock.setOffsetMs(120_000)
    const location = new URL(locationOf(await browse(server.replicas[1], browser, url)))
    server.clock.setOffsetMs(0)
    expect(location.searchParams.get('error')).toBe('login_required')
  })

  test.each(['-1', '1.5', 'soon', '1e2', '0x10', ' 60', '60 '])(
    '%s is refused by name where it is pushed',
    async (max_age) => {
      const { parameters } = await makeAttempt(web, { ...signInOnly, max_age })
      expect(await push(server.replicas[0], web, parameters)).toMatchObject({
        status: 400,
        body: { error: 'invalid_request', error_description: expect.stringMatching(/^max_age /) },
      })
    },
  )

  test('is not pushed by the name that it is kept under', async () => {
    const attempt = await makeAttempt(web, { ...signInOnly, prompt: 'none', max_age_alone: '0' })
    const url = await authorizeUrl(server.replicas[0], web, attempt)
    const location = new URL(locationOf(await browse(server.replicas[0], browser, url)))
    expect(location.searchParams.get('code')).toBeTruthy()
  })

  test('pushed by a public client is refused as any request that it pushes', async () => {
    const { parameters } = await makeAttempt(spa, { ...signInOnly, max_age: '60' })
    expect(await push(server.replicas[0], spa, parameters)).toMatchObject({ body: { error: 'unauthorized_client' } })
  })
})

test.each([
  ['a shared secret', { client_secret: 'x' }],
  ['an assertion that is none', { client_assertion: 'abc' }],
  ['the id of another client', { client_id: 'par-other' }],
])('a client that brings %s is not authenticated', async (_name, wrong) => {
  const { parameters } = await makeAttempt(web)
  const answer = await push(server.replicas[0], web, parameters, [], wrong)
  expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('an id that no client can have names none', async () => {
  const answer = await browse(server.replicas[0], makeBrowser(), addressOf({ client_id: '\0' }))
  refused(answer, 'invalid_client')
})
