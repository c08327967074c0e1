import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  baseUrl,
  carry,
  fetchInto,
  makeAssertion,
  makeProof,
  makeProofKey,
  makeServiceClient,
  readJson,
  startTestServer,
  type TestServer,
  tokenForm,
} from '../test-server.test-helper.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const scopes = [
  'accounts:read',
  'activity:read',
  'authorization:read',
  'beneficiaries:read',
  'beneficiaries:write',
  'cards:manage',
  'cards:read',
  'identity:read',
  'kyc:read',
  'operations:read',
  'purchases:read',
  'services:read',
  'spending:read',
  'spending:withdraw',
  'transfers:quote',
]

describe('metadata', () => {
  test.each(['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'])(
    '%s names exactly what is offered, whatever host is asked',
    async (path) => {
      const headers: [string, string][] = [
        ['host', 'evil.test'],
        ['x-forwarded-host', 'evil.test'],
        ['x-forwarded-proto', 'http'],
        ['forwarded', 'host=evil.test'],
      ]
      const answer = await carry(server.replicas[0], 'GET', path, headers)
      expect(answer.status).toBe(200)
      expect(readJson(answer)).toEqual({
        issuer: baseUrl,
        authorization_endpoint: `${baseUrl}/oauth/authorize`,
        pushed_authorization_request_endpoint: `${baseUrl}/oauth/par`,
        token_endpoint: `${baseUrl}/oauth/token`,
        revocation_endpoint: `${baseUrl}/oauth/revoke`,
        device_authorization_endpoint: `${baseUrl}/oauth/device`,
        jwks_uri: `${baseUrl}/oauth/jwks`,
        grant_types_supported: [
          'authorization_code',
          'refresh_token',
          'client_credentials',
          'urn:ietf:params:oauth:grant-type:device_code',
        ],
        response_types_supported: ['code'],
        response_modes_supported: ['query', 'form_post'],
        authorization_response_iss_parameter_supported: true,
        code_challenge_methods_supported: ['S256'],
        prompt_values_supported: ['none', 'login', 'consent'],
        scopes_supported: ['openid', ...scopes],
        claims_supported: ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr'],
        acr_values_supported: ['urn:service:acr:provider-device'],
        id_token_signing_alg_values_supported: ['ES256'],
        request_parameter_supported: false,
        request_uri_parameter_supported: false,
        subject_types_supported: ['pairwise'],
        token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
        token_endpoint_auth_signing_alg_values_supported: ['ES256'],
        revocation_endpoint_auth_methods_supported: ['private_key_jwt'],
        revocation_endpoint_auth_signing_alg_values_supported: ['ES256'],
        dpop_signing_alg_values_supported: ['ES256'],
        protected_resources: [baseUrl],
      })
    },
  )

  test('of the protected resource is read by a client of RFC 9728', async () => {
    const resource = new URL(baseUrl)
    const response = await oauth.resourceDiscoveryRequest(resource, {
      [oauth.customFetch]: fetchInto(server.replicas[0]),
    })
    expect(await oauth.processResourceDiscoveryResponse(resource, response)).toEqual({
      resource: baseUrl,
      authorization_servers: [baseUrl],
      scopes_supported: scopes,
      bearer_methods_supported: [],
      dpop_signing_alg_values_supported: ['ES256'],
      dpop_bound_access_tokens_required: true,
      resource_name: 'Financial Agents API',
    })
  })

  test('publishes the public part of one ES256 key, the same at both replicas', async () => {
    const [one, other] = server.replicas
    const published = readJson(await carry(one, 'GET', '/oauth/jwks'))
    expect(readJson(await carry(other, 'GET', '/oauth/jwks'))).toEqual(published)
    const [key] = published.keys as Record<string, unknown>[]
    expect(Object.keys(key ?? {}).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    expect(server.keys[0].publicKeys()).toEqual(published.keys)
  })
})

describe('a proof for the host that was asked', () => {
  test('is refused: htu is compared with the published address', async () => {
    const client = makeServiceClient('agent-host')
    await server.apply([client.registration])
    const proof = await makeProof(makeProofKey(), { htu: 'https://evil.test/oauth/token' })
    const headers: [string, string][] = [
      ['host', 'evil.test'],
      ['x-forwarded-host', 'evil.test'],
      ['content-type', 'application/x-www-form-urlencoded'],
      ['dpop', proof],
    ]
    const body = new URLSearchParams(tokenForm(await makeAssertion(client))).toString()
    const answer = await carry(server.replicas[0], 'POST', '/oauth/token', headers, body)
    expect([answer.status, readJson(answer).error]).toEqual([400, 'invalid_dpop_proof'])
  })
})

describe('what is not offered', () => {
  test.each([
    ['GET', '/oauth/userinfo'],
    ['GET', '/me'],
    ['POST', '/reg'],
    ['POST', '/token/introspection'],
    ['POST', '/request'],
    ['POST', '/session/end/confirm'],
    ['GET', '/oauth/authorize/'],
    ['POST', '/OAUTH/TOKEN'],
    ['GET', '/oauth/jwks/'],
  ])('%s %s is a 404 problem', async (method, path) => {
    const answer = await carry(server.replicas[0], method, `${path}?secret=1`)
    expect(answer.status).toBe(404)
    expect(readJson(answer)).toMatchObject({ code: 'route_not_found', instance: path, request_id: 'request-of-test' })
    expect(Object.fromEntries(answer.headers)['content-type']).toMatch(/^application\/problem\+json/)
  })

  test.each([
    ['GET', '/oauth/token', 'POST, OPTIONS'],
    ['DELETE', '/oauth/jwks', 'GET, HEAD, OPTIONS'],
    ['POST', '/.well-known/oauth-protected-resource', 'GET, HEAD'],
    ['OPTIONS', '/oauth/token', 'POST, OPTIONS'],
    ['GET', '/oauth/par', 'POST'],
    ['POST', '/oauth/authorize', 'GET'],
    ['POST', '/oauth/authorize/abc', 'GET'],
    ['OPTIONS', '/oauth/revoke', 'POST'],
    ['QUERY', '/oauth/token', 'POST, OPTIONS'],
    ['PROPFIND', '/oauth/jwks', 'GET, HEAD, OPTIONS'],
  ])('%s %s is a 405 problem that names what is', async (method, path, allow) => {
    const answer = await carry(server.replicas[0], method, path)
    expect(answer.status).toBe(405)
    expect(Object.fromEntries(answer.headers).allow).toBe(allow)
    expect(readJson(answer)).toMatchObject({ code: 'method_not_allowed' })
  })

  test('a path that cannot be decoded is a 400 problem', async () => {
    const answer = await carry(server.replicas[0], 'GET', '/%E0%A4%A')
    expect([answer.status, readJson(answer).code]).toEqual([400, 'malformed_request'])
  })
})
