/** Decisions §3 and §10, RFC 9449 §7: authentication, the order of its checks, and the content of refusals. */

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { baseUrl, grant } from './authz.test-helper.ts'
import { expectProblem, newMaker, sendRaw, startWorld, type World } from './gateway.test-helper.ts'

const path = '/v1/operations'
let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

const challengeOf = (response: { headers: Headers }) => response.headers.get('www-authenticate')
const resourceMetadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource"`

describe('a request that is in order', () => {
  test('gets the answer of the service, and a nonce', async () => {
    world.areas.set('listOperations', ({ query, params, principal }) => ({
      ok: true,
      data: { query, params, principal },
    }))
    const response = await world.request('GET', `${path}?limit=5&kind=a%20b+c`, {
      proofClaims: { url: `${baseUrl}${path}` },
    })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      query: { limit: '5', kind: 'a b c' },
      params: {},
      principal: {
        owner_id: 'owner-1',
        subject: 'subject-1',
        client_id: 'client-1',
        grant_id: 'grant-1',
        binding_id: 'binding-1',
        grant_ends_at: null,
      },
    })
    expect(response.headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('strict-transport-security')).toMatch(/^max-age=/)
    expect(response.headers.get('idempotent-replayed')).toBeNull()
    world.areas.delete('listOperations')
  })

  test('may write the scheme and the header names in any letter case', async () => {
    await world.request('GET', path)
    const proof = world.maker.makeProof({
      method: 'GET',
      url: baseUrl + path,
      accessToken: world.token,
      nonce: world.nonces.get(world.gateways[0] as never) as string,
    })
    const headers: [string, string][] = [
      ['aUTHORIZATION', `dPoP ${world.token}`],
      ['dpop', proof],
    ]
    expect((await sendRaw(world.gateways[0]?.url as string, 'GET', path, headers)).status).toBe(200)
  })

  test('is checked by the public address and never by the Host header', async () => {
    const response = await world.request('GET', path, { headers: [['X-Forwarded-Host', 'evil.example']] })
    expect(response.status).toBe(200)
    const foreign = await world.request('GET', path, { proofClaims: { url: `https://elsewhere.example${path}` } })
    expectProblem(foreign, 'invalid_dpop_proof', path)
  })

  test('may name its target with query and fragment, and in another spelling', async () => {
    for (const url of [`${baseUrl}/v1/%6Fperations?x=1#y`, `HTTPS://API.example.test:443${path}`])
      expect((await world.request('GET', path, { proofClaims: { url } })).status).toBe(200)
  })
})

describe('the token', () => {
  test('is requested by a challenge without an error code if it is missing', async () => {
    const response = await world.send('GET', path, { token: null, proof: null })
    expectProblem(response, 'invalid_token', path)
    expect(challengeOf(response)).toBe(`DPoP ${resourceMetadata}, algs="ES256"`)
    expect(response.headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/)
  })

  test.each([
    ['Bearer', (token: string) => `Bearer ${token}`],
    ['Basic', () => `Basic ${Buffer.from('client:secret').toString('base64')}`],
    ['two tokens', (token: string) => `DPoP ${token} ${token}`],
    ['no token', () => 'DPoP'],
    ['not a scheme', () => ',,,'],
  ])('is refused with %s', async (_name, value) => {
    const response = await world.request('GET', path, {
      token: null,
      headers: [['Authorization', value(world.token)]],
    })
    expectProblem(response, 'invalid_token', path)
    expect(challengeOf(response)).toContain('error="invalid_token"')
  })

  test('is refused where two are sent', async () => {
    const headers: [string, string][] = [['authorization', `DPoP ${world.token}`]]
    expectProblem(await world.request('GET', path, { headers }), 'invalid_token', path)
  })

  const wrong: [string, Record<string, unknown>, Record<string, unknown>?][] = [
    ['has expired', { exp: Math.floor(Date.now() / 1_000) - 1 }],
    ['has no expiry', { exp: undefined }],
    ['is of another issuer', { iss: 'https://other.example' }],
    ['is for another audience', { aud: 'client-1' }],
    ['is for several audiences', { aud: [baseUrl, 'https://other.example'] }],
    ['is bound to no key', { cnf: undefined }],
    ['names no grant', { grant_id: undefined }],
    ['names no client', { client_id: undefined }],
    ['is an ID token', { aud: 'client-1', nonce: 'n', grant_id: undefined, cnf: undefined }, { typ: 'JWT' }],
    ['has the type of an ID token', {}, { typ: 'JWT' }],
    ['is of an unknown key', {}, { kid: 'key-2' }],
    ['names no key', {}, { kid: undefined }],
    ['is of an unknown grant', { grant_id: 'grant-none' }],
    ['is of another client than its grant', { client_id: 'client-2' }],
  ]
  test.each(wrong)('is refused where it %s', async (_name, claims, header) => {
    const token = await world.authz.token(world.maker, claims, header)
    const response = await world.request('GET', path, { token })
    expectProblem(response, 'invalid_token', path)
    expect(challengeOf(response)).toContain('error="invalid_token"')
    expect(response.text).not.toContain(token)
  })

  test('is refused where its signature was changed, cut off or left out', async () => {
    const [header, payload, signature] = world.token.split('.') as [string, string, string]
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
    for (const token of [
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${header}.${payload}.`,
      `${none}.${payload}.`,
      payload,
      'a'.repeat(8_000),
    ]) {
      expectProblem(await world.request('GET', path, { token }), 'invalid_token', path)
    }
  })

  test('is refused from the second at which it expires, although it was good before', async () => {
    const token = await world.authz.token(world.maker)
    expect((await world.request('GET', path, { token })).status).toBe(200)
    world.clock.setOffsetMs(301_000)
    await world.send('GET', path, { token: await world.authz.token(world.maker, { exp: Date.now() / 1_000 + 900 }) })
    const response = await world.send('GET', path, { token })
    expect(expectProblem(response, 'invalid_token', path).detail).toContain('expired')
    world.clock.setOffsetMs(0)
    world.nonces.clear()
  })
})

describe('the proof', () => {
  test('needs a nonce of ours, which every refusal contains', async () => {
    for (const nonce of [null, 'A'.repeat(43), 'short']) {
      const response = await world.request('GET', path, { nonce })
      expectProblem(response, 'use_dpop_nonce', path)
      expect(challengeOf(response)).toContain('error="use_dpop_nonce"')
      const fresh = response.headers.get('dpop-nonce') as string
      expect((await world.request('GET', path, { nonce: fresh })).status).toBe(200)
    }
  })

  test('is refused with a nonce that is older than five minutes', async () => {
    await world.request('GET', path)
    const nonce = world.nonces.get(world.gateways[0] as never) as string
    world.clock.setOffsetMs(301_000 + 30_000)
    const token = await world.authz.token(world.maker, { exp: Date.now() / 1_000 + 900 })
    expectProblem(await world.send('GET', path, { nonce, token }), 'use_dpop_nonce', path)
    world.clock.setOffsetMs(0)
    world.nonces.clear()
  })

  test.each([
    ['is missing', { proof: null }],
    ['is not a JWS', { proof: 'nonsense' }],
    ['is for another method', { proofClaims: { method: 'POST' } }],
    ['is for another path', { proofClaims: { url: `${baseUrl}/v1/beneficiaries` } }],
    ['is for another token', { proofClaims: { accessToken: 'another' } }],
    ['is of another key', { maker: newMaker() }],
    ['was made an hour ago', { proofClaims: { iatMs: Date.now() - 3_600_000 } }],
    ['will be made in an hour', { proofClaims: { iatMs: Date.now() + 3_600_000 } }],
  ])('is refused where it %s', async (_name, changes) => {
    const response = await world.request('GET', path, changes)
    expectProblem(response, 'invalid_dpop_proof', path)
    expect(challengeOf(response)).toContain('error="invalid_dpop_proof"')
  })

  test('is refused where two are sent', async () => {
    await world.request('GET', path)
    const nonce = world.nonces.get(world.gateways[0] as never) as string
    const another = world.maker.makeProof({ method: 'GET', url: baseUrl + path, accessToken: world.token, nonce })
    const response = await world.request('GET', path, { headers: [['dpop', another]] })
    expectProblem(response, 'invalid_dpop_proof', path)
  })

  test('is accepted once', async () => {
    const jti = randomUUID()
    expect((await world.request('GET', path, { proofClaims: { jti } })).status).toBe(200)
    const response = await world.request('GET', path, { proofClaims: { jti } })
    expect(expectProblem(response, 'invalid_dpop_proof', path).detail).toContain('used before')
  })

  test('is accepted for one of many concurrent requests', async () => {
    await world.request('GET', path)
    const proofClaims = { jti: randomUUID() }
    const responses = await Promise.all(Array.from({ length: 20 }, () => world.send('GET', path, { proofClaims })))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(19)
  })
})

describe('the grant', () => {
  test('must have the scope, in the token and still in the grant', async () => {
    const withoutScope = await world.authz.token(world.maker, { scope: 'beneficiaries:read' })
    const reduced = { ...grant, grant_id: 'grant-reduced', scopes: ['beneficiaries:read'] }
    world.authz.grants.set(reduced.grant_id, reduced)
    const ofReducedGrant = await world.authz.token(world.maker, { grant_id: reduced.grant_id })
    for (const token of [withoutScope, ofReducedGrant]) {
      const response = await world.request('GET', path, { token })
      expectProblem(response, 'insufficient_scope', path)
      expect(challengeOf(response)).toContain('error="insufficient_scope"')
      expect(challengeOf(response)).toContain('scope="operations:read"')
      expect(response.headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/)
    }
  })

  test('must have a connected provider where the route needs one', async () => {
    const unbound = { ...grant, grant_id: 'grant-unbound', binding_id: null }
    world.authz.grants.set(unbound.grant_id, unbound)
    const token = await world.authz.token(world.maker, { grant_id: unbound.grant_id })
    expectProblem(await world.request('GET', path, { token }), 'provider_connection_unavailable', path)
    const created = await world.request('POST', '/v1/beneficiaries', { token, body: 'not json' })
    expectProblem(created, 'provider_connection_unavailable', '/v1/beneficiaries', true)
  })
})

describe('the first check that fails answers', () => {
  const create = '/v1/beneficiaries'
  const bad = { body: '{', headers: [['Content-Type', 'text/plain']] as [string, string][] }

  test('route and method before credentials', async () => {
    expectProblem(
      await world.send('GET', '/v1/nothing', { token: null, proof: null }),
      'route_not_found',
      '/v1/nothing',
    )
    expectProblem(await world.send('PATCH', create, { token: null, proof: null }), 'method_not_allowed', create)
  })

  test('scheme, token, proof, nonce, replay, class, grant, scope, binding, media type, JSON, key: one after another', async () => {
    await world.request('GET', path)
    const code = async (given: Parameters<World['request']>[2]) =>
      ((await world.request('POST', create, { ...bad, ...given })).body as { code: string }).code
    const inactive = { ...grant, grant_id: 'grant-inactive', status: 'inactive' as const, scopes: [], binding_id: null }
    const powerless = { ...grant, grant_id: 'grant-powerless', scopes: [], binding_id: null }
    const unbound = { ...grant, grant_id: 'grant-unbound-2', binding_id: null }
    for (const view of [inactive, powerless, unbound]) world.authz.grants.set(view.grant_id, view)
    const of = (claims: Record<string, unknown>) => world.authz.token(world.maker, claims)
    const foreign = await of({ aud: 'other', grant_id: inactive.grant_id })
    const jti = randomUUID()
    const used = { proofClaims: { jti } }

    expect(await code({ token: 'not-a-token', proof: 'not-a-proof' })).toBe('invalid_token')
    expect(await code({ token: foreign, proof: 'not-a-proof', nonce: null })).toBe('invalid_dpop_proof')
    expect(await code({ token: foreign, nonce: null })).toBe('use_dpop_nonce')
    expect(await code({ token: foreign, ...used })).toBe('invalid_token')
    expect(await code({ token: foreign, ...used })).toBe('invalid_dpop_proof')
    expect(await code({ token: await of({ grant_id: inactive.grant_id }) })).toBe('invalid_token')
    expect(await code({ token: await of({ grant_id: powerless.grant_id }) })).toBe('insufficient_scope')
    expect(await code({ token: await of({ grant_id: unbound.grant_id }) })).toBe('provider_connection_unavailable')
    expect(await code({})).toBe('unsupported_media_type')
    expect(await code({ headers: [] })).toBe('malformed_json')
    expect(await code({ headers: [], body: '{}' })).toBe('validation_failed')
  })

  test('no byte of a body is awaited before the grant allows the request', async () => {
    const headers: [string, string][] = [['Transfer-Encoding', 'chunked']]
    expectProblem(
      await world.send('POST', create, { token: null, proof: null, headers }),
      'invalid_token',
      create,
      false,
    )
  })
})
