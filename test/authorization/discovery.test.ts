/** Discovery: the metadata is complete, describes the server's behaviour, and claims nothing else. */

import * as oauth from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { environment } from './environment.ts'
import { exchange } from './http.ts'
import { paths } from './party.ts'

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
const documents = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']
const read = async (path: string) => (await exchange(environment().baseUrl + path, 'GET')).body

describe.each(documents)('%s', (path) => {
  test('names the issuer, which is the origin, and the published endpoints below it', async () => {
    const { baseUrl } = environment()
    expect(await read(path)).toMatchObject({
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/oauth/authorize`,
      token_endpoint: `${baseUrl}/oauth/token`,
      pushed_authorization_request_endpoint: baseUrl + paths.par,
      revocation_endpoint: baseUrl + paths.revocation,
      device_authorization_endpoint: baseUrl + paths.device,
      jwks_uri: `${baseUrl}/oauth/jwks`,
    })
  })

  test('names what is supported, exactly', async () => {
    const metadata = await read(path)
    const sorted = (name: string) => (metadata[name] as string[]).toSorted()
    expect(sorted('response_types_supported')).toEqual(['code'])
    expect(sorted('response_modes_supported')).toEqual(['form_post', 'query'])
    expect(sorted('grant_types_supported')).toEqual([
      'authorization_code',
      'client_credentials',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ])
    expect(sorted('code_challenge_methods_supported')).toEqual(['S256'])
    expect(sorted('token_endpoint_auth_methods_supported')).toEqual(['none', 'private_key_jwt'])
    expect(sorted('token_endpoint_auth_signing_alg_values_supported')).toEqual(['ES256'])
    expect(sorted('id_token_signing_alg_values_supported')).toEqual(['ES256'])
    expect(sorted('dpop_signing_alg_values_supported')).toEqual(['ES256'])
    expect(sorted('subject_types_supported')).toEqual(['pairwise'])
    expect(sorted('scopes_supported')).toEqual([...scopes, 'openid'].toSorted())
    expect(sorted('prompt_values_supported')).toEqual(['consent', 'login', 'none'])
    expect(metadata['acr_values_supported']).toEqual(['urn:service:acr:provider-device'])
    expect(sorted('claims_supported')).toEqual(
      ['acr', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'nonce', 'sub'].toSorted(),
    )
    expect(metadata['authorization_response_iss_parameter_supported']).toBe(true)
    expect(metadata['protected_resources']).toEqual([environment().baseUrl])
  })

  test.each([
    'registration_endpoint',
    'userinfo_endpoint',
    'introspection_endpoint',
    'end_session_endpoint',
    'backchannel_authentication_endpoint',
    'check_session_iframe',
    'mtls_endpoint_aliases',
    'tls_client_certificate_bound_access_tokens',
    'request_object_signing_alg_values_supported',
    'authorization_signing_alg_values_supported',
    'authorization_details_types_supported',
    'userinfo_signing_alg_values_supported',
    'introspection_endpoint_auth_methods_supported',
  ])('does not name %s', async (member) => {
    expect(await read(path)).not.toHaveProperty(member)
  })

  test('says that request objects and the claims parameter are not taken', async () => {
    const metadata = await read(path)
    for (const member of [
      'request_parameter_supported',
      'request_uri_parameter_supported',
      'claims_parameter_supported',
    ])
      expect(metadata[member] ?? false, member).toBe(false)
  })
})

test('both documents say the same', async () => {
  const [one, other] = await Promise.all(documents.map(read))
  expect(one).toEqual(other)
})

test('the JWKS of the metadata holds public ES256 signing keys alone', async () => {
  const { jwks_uri } = await read('/.well-known/openid-configuration')
  const answer = await exchange(jwks_uri, 'GET')
  expect(answer.status).toBe(200)
  const { keys } = answer.body as { keys: Record<string, unknown>[] }
  expect(keys.length).toBeGreaterThan(0)
  for (const key of keys) {
    expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: expect.any(String) })
    expect(key).not.toHaveProperty('d')
  }
})

test('the protected resource names the authorization server, ES256 proofs and no bearer method (RFC 9728)', async () => {
  const resource = new URL(environment().baseUrl)
  const insecure = { [oauth.allowInsecureRequests]: true }
  const response = await oauth.resourceDiscoveryRequest(resource, insecure)
  expect(await oauth.processResourceDiscoveryResponse(resource, response)).toMatchObject({
    resource: environment().baseUrl,
    authorization_servers: [environment().baseUrl],
    bearer_methods_supported: [],
    dpop_bound_access_tokens_required: true,
    dpop_signing_alg_values_supported: ['ES256'],
    scopes_supported: scopes,
  })
})

test.each([...documents, '/.well-known/oauth-protected-resource', '/oauth/jwks'])(
  '%s may be read from any origin, without credentials',
  async (path) => {
    const answer = await exchange(environment().baseUrl + path, 'GET', [['origin', 'https://anyone.example']])
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toMatch(/^(\*|https:\/\/anyone\.example)$/)
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
  },
)
