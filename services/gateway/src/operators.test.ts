/** The two classes of tokens, each valid only on its own routes, and the input and refusals of operators' routes. */

import { type Route, scopesOf } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { baseUrl, grant } from './authz.test-helper.ts'
import { audience, type Console, startConsole } from './console.test-helper.ts'
import { expectProblem, newMaker, type Request, startWorld, type World } from './gateway.test-helper.ts'

const path = '/v1/ops/operations'
const suspend = '/v1/ops/grants/01980f3e-2f01-7419-8d20-3c7a9e5b1f40/suspend'
let world: World
let console: Console
let token: string

beforeAll(async () => {
  world = await startWorld()
  console = await startConsole(world.nats)
  token = await console.token(world.maker)
})
afterAll(() => world.stop())

const ask = (given: Request = {}, method = 'GET', at = path) => world.request(method, at, { token, ...given })
const challengeOf = (response: { headers: Headers }) => response.headers.get('www-authenticate')

test('a request in order goes to the console with the operator, and without a principal', async () => {
  const response = await ask({ body: '{"reason":"lost \\u0061 key"}' }, 'POST', `${suspend}?a=1`)
  expect([response.status, response.body]).toEqual([200, { asked: 'suspendOperatorGrant' }])
  expect(response.headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/)
  expect(console.state.asked).toMatchObject({
    params: { grant_id: '01980f3e-2f01-7419-8d20-3c7a9e5b1f40' },
    query: { a: '1' },
    body: { reason: 'lost a key' },
    operator: { id: 'jonas.brandt', name: 'Jonas Brandt' },
  })
  expect(console.state.asked?.principal).toBeUndefined()
  const nameless = await console.token(world.maker, { name: undefined })
  expect((await ask({ token: nameless })).status).toBe(200)
  expect(console.state.asked?.operator).toEqual({ id: 'jonas.brandt', name: null })
  await ask({ token: await console.token(world.maker, { sid: 'session-one' }) })
  expect(console.state.asked?.operator).toMatchObject({ id: 'jonas.brandt', session: 'session-one' })
})

test('no grant is read or needed: the feed of grants may be silent', async () => {
  const deaf = await world.startAnother({ GRANT_FEED_SILENCE_MS: '200' })
  world.authz.silence()
  await expect.poll(async () => (await world.request('GET', '/v1/operations', { gateway: deaf })).status).toBe(503)
  const { reads } = world.authz.state
  expect((await ask({ gateway: deaf })).status).toBe(200)
  expect(world.authz.state.reads).toBe(reads)
  world.authz.speak()
  await Promise.all(world.gateways.map((gateway) => world.authz.heard(gateway)))
})

const rows = Object.entries(routes as Record<string, Route>).filter(([, row]) => row.scope !== null)
const concrete = (row: Route) => row.path.replaceAll(/\{\w+\}/g, '01980f3e-2f01-7419-8d20-3c7a9e5b1f40')
const everyScope = rows.flatMap(([, row]) => scopesOf(row)).join(' ')

describe('a token of the other class, good in every other way', () => {
  test.each(rows)('%s', async (_name, row) => {
    const make = row.audience === 'operator' ? world.authz.token : console.token
    const { keyReads } = console.state
    const response = await ask(
      { token: await make(world.maker, { scope: everyScope }), ...(row.body ? { body: '{}' } : {}) },
      row.method,
      concrete(row),
    )
    expectProblem(response, 'invalid_token', concrete(row), row.refreshOnboarding ? false : undefined)
    expect(challengeOf(response)).toContain('error="invalid_token"')
    expect(console.state.keyReads).toBe(keyReads)
  })

  test('is refused even with the claims of the right class', async () => {
    const dressed = { iss: audience, aud: audience, client_id: 'ops-console', grant_id: undefined, scope: everyScope }
    const asOperator = await world.authz.token(world.maker, { ...dressed, sub: 'x' }, { kid: 'console-1' })
    expectProblem(await ask({ token: asOperator }), 'invalid_token', path)
    const customer = { iss: baseUrl, aud: baseUrl, client_id: 'client-1', grant_id: 'grant-1', scope: everyScope }
    const asCustomer = await console.token(world.maker, { ...customer, sub: 'subject-1' }, { kid: 'key-1' })
    expectProblem(await ask({ token: asCustomer }, 'GET', '/v1/operations'), 'invalid_token', '/v1/operations')
  })
})

const wrong: [string, Record<string, unknown>, Record<string, unknown>?][] = [
  ['has expired', { exp: Math.floor(Date.now() / 1_000) - 1 }],
  ['has no expiry', { exp: undefined }],
  ['is of another issuer', { iss: baseUrl }],
  ['is of another environment', { iss: 'https://other.example/v1/ops', aud: 'https://other.example/v1/ops' }],
  ['is for another audience', { aud: baseUrl }],
  ['is for both audiences', { aud: [audience, baseUrl] }],
  ['is bound to no key', { cnf: undefined }],
  ['is bound to another key', { cnf: { jkt: newMaker().jkt } }],
  ['names no operator', { sub: undefined }],
  ['names an empty operator', { sub: '' }],
  ['names another client', { client_id: 'client-1' }],
  ['names a grant', { grant_id: 'grant-1' }],
  ['is an ID token', {}, { typ: 'JWT' }],
  ['is of an unknown key', {}, { kid: 'console-2' }],
  ['names no key', {}, { kid: undefined }],
]

test.each(wrong)("an operator's token is refused where it %s", async (what, claims, header) => {
  const refused = await console.token(world.maker, claims, header)
  const response = await ask({ token: refused })
  expectProblem(response, what === 'is bound to another key' ? 'invalid_dpop_proof' : 'invalid_token', path)
  expect(response.text).not.toContain(refused)
})

test('a proof is asked for, with a nonce, and is good once', async () => {
  const bare = await ask({ proof: null })
  expectProblem(bare, 'invalid_dpop_proof', path)
  const stale = await ask({ nonce: 'x'.repeat(43) })
  expectProblem(stale, 'use_dpop_nonce', path)
  expect(challengeOf(stale)).toContain('error="use_dpop_nonce"')
  const nonce = world.nonces.get(world.gateways[0] as never) as string
  const given = { method: 'GET', url: baseUrl + path, accessToken: token, nonce, iatMs: world.clock.nowMs() }
  const proof = world.maker.makeProof(given)
  expect((await ask({ proof })).status).toBe(200)
  expectProblem(await ask({ proof }), 'invalid_dpop_proof', path)
})

test("the challenge names the realm of operators, never the customers' authorization server", async () => {
  const none = await ask({ token: null, proof: null })
  expectProblem(none, 'invalid_token', path)
  expect(challengeOf(none)).toBe(`DPoP realm="${audience}", algs="ES256"`)
  const other = await ask({ token: world.token })
  expect(challengeOf(other)).toMatch(new RegExp(`^DPoP realm="${audience}", error="invalid_token"`))
  expect(challengeOf(other)).not.toContain('resource_metadata')
  const operators = await ask({ token }, 'GET', '/v1/operations')
  expect(challengeOf(operators)).toContain('/.well-known/oauth-protected-resource')
})

test('an operator who may only view is refused before the body is read, and gets the missing scope', async () => {
  const viewer = await console.token(world.maker, { scope: 'ops:read', sub: 'marta.vidal' })
  expect((await ask({ token: viewer })).status).toBe(200)
  const refused = await ask({ token: viewer, body: '{' }, 'POST', suspend)
  expectProblem(refused, 'insufficient_scope', suspend)
  expect(challengeOf(refused)).toContain('error="insufficient_scope"')
  expect(challengeOf(refused)).toContain('scope="ops:suspend"')
  expect(challengeOf(refused)).not.toContain('resource_metadata')
  const without = await console.token(world.maker, { scope: 'ops:suspend' })
  expectProblem(await ask({ token: without }), 'insufficient_scope', path)
})

test('a suspension without an answer in time may have happened; a read may be repeated', async () => {
  const gateway = await world.startAnother({ REQUEST_DEADLINE_MS: '1000' }, { graceMs: 0 })
  // Waits until the gateway has read the keys that verify the token.
  await expect.poll(async () => (await ask({ gateway })).status).toBe(200)
  const answering = Promise.withResolvers<void>()
  console.state.beforeAnswer = () => answering.promise
  expectProblem(await ask({ gateway, body: '{"reason":"abc"}' }, 'POST', suspend), 'acceptance_unknown', suspend)
  expectProblem(await ask({ gateway }), 'service_unavailable', path)
  answering.resolve()
  console.state.beforeAnswer = async () => {}
})

test('an operator has a limit of their own, at every replica: none of a grant, none of another operator', async () => {
  const limited = await world.startAnother({ GRANT_RATE_PER_S: '0.01', GRANT_BURST: '3' })
  const of = async (sub: string) => ask({ gateway: limited, token: await console.token(world.maker, { sub }) })
  for (let count = 0; count < 3; count += 1) expect((await of(grant.grant_id)).status).toBe(200)
  const refused = await of(grant.grant_id)
  expectProblem(refused, 'rate_limited', path)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await of('lena')).status).toBe(200)
  expect((await world.request('GET', '/v1/operations', { gateway: limited })).status).toBe(200)
})

test('if the keys of the console cannot be read, operators are not validated and customers are served', async () => {
  const fresh = await world.startAnother()
  await console.bus.drain()
  expectProblem(await ask({ gateway: fresh }), 'authorization_unavailable', path)
  expectProblem(await ask({ gateway: fresh, token: world.token }), 'invalid_token', path)
  expect((await world.request('GET', '/v1/operations', { gateway: fresh })).status).toBe(200)
})
