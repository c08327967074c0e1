/** Each profile has its own grants and no others, as seen by the libraries that clients use. */

import * as openid from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBrowser } from './browser.ts'
import { clientNamed, freshClient, keyOf } from './clients.ts'
import { environment, type TestClient } from './environment.ts'
import { expectError, expectErrorPage, expectSentBack } from './expectations.ts'
import { claimsOf, flow } from './flow.ts'
import { notingFetch } from './http.ts'
import { createParty, type Party, paths } from './party.ts'
import { note } from './secrets.ts'

type Library = { config: openid.Configuration; dpop: openid.DPoPHandle }

/** A client that uses openid-client, as a client's engineers would. */
async function library(client: TestClient): Promise<Library> {
  const key = keyOf(client)
  const signer =
    key && (await crypto.subtle.importKey('jwk', key.jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']))
  const authentication = key && signer ? openid.PrivateKeyJwt({ key: signer, kid: key.kid }) : openid.None()
  const config = await openid.discovery(
    new URL(environment().baseUrl),
    client.client_id,
    { id_token_signed_response_alg: 'ES256' },
    authentication,
    { execute: [openid.allowInsecureRequests], [openid.customFetch]: notingFetch },
  )
  return { config, dpop: openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256')) }
}

async function codeFlow(client: TestClient, mode: 'query' | 'form_post') {
  const { config, dpop } = await library(client)
  const verifier = openid.randomPKCECodeVerifier()
  const [state, nonce] = [openid.randomState(), openid.randomNonce()]
  for (const value of [verifier, state, nonce]) note(value)
  const parameters = {
    redirect_uri: client.redirect_uris[0] as string,
    scope: 'openid operations:read authorization:read',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    dpop_jkt: await dpop.calculateThumbprint(),
    resource: environment().baseUrl,
    state,
    nonce,
    response_mode: mode,
  }
  const url =
    client.profile === 'web'
      ? await openid.buildAuthorizationUrlWithPAR(config, parameters)
      : openid.buildAuthorizationUrl(config, parameters)
  const browser = createBrowser()
  const { left } = await flow(browser, await browser.open(url))
  if (!left) throw new Error('the browser did not return to the client')
  const returned = new URL(left.url)
  for (const [name, value] of left.params) returned.searchParams.set(name, value)
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
  const tokens = await openid.authorizationCodeGrant(config, returned, checks, undefined, { DPoP: dpop })
  return { config, dpop, tokens }
}

const api = (path: string) => new URL(path, environment().baseUrl)

describe.each(['web', 'spa', 'native'] as const)('a %s client with openid-client', (profile) => {
  test.each(['query', 'form_post'] as const)(
    'signs in with response mode %s, calls the API and refreshes',
    async (mode) => {
      const client = freshClient(profile)
      const { config, dpop, tokens } = await codeFlow(client, mode)
      expect(tokens.claims()?.sub).toBe(claimsOf(tokens.access_token)['sub'])
      const call = (token: string) =>
        openid.fetchProtectedResource(config, token, api('/v1/authorization'), 'GET', undefined, undefined, {
          DPoP: dpop,
        })
      const first = await call(tokens.access_token)
      expect(first.status).toBe(200)
      expect(await first.json()).toMatchObject({
        client: { id: client.client_id, profile },
        grant: { status: 'active' },
      })
      const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token as string, undefined, {
        DPoP: dpop,
      })
      expect((await call(refreshed.access_token)).status).toBe(200)
    },
  )
})

test('a web client with openid-client revokes its grant', async () => {
  const { config, dpop, tokens } = await codeFlow(freshClient('web'), 'query')
  await openid.tokenRevocation(config, tokens.refresh_token as string)
  const again = openid.refreshTokenGrant(config, tokens.refresh_token as string, undefined, { DPoP: dpop })
  await expect(again).rejects.toMatchObject({ error: 'invalid_grant' })
})

test('a service account with openid-client gets a token of its own owner, no refresh token and no ID token', async () => {
  const { config, dpop } = await library(clientNamed('ines-agent'))
  const scope = 'operations:read'
  const tokens = await openid.clientCredentialsGrant(config, { scope, resource: environment().baseUrl }, { DPoP: dpop })
  expect(tokens.scope).toBe(scope)
  expect(tokens).not.toHaveProperty('refresh_token')
  expect(tokens).not.toHaveProperty('id_token')
  const answer = await openid.fetchProtectedResource(
    config,
    tokens.access_token,
    api('/v1/operations'),
    'GET',
    undefined,
    undefined,
    { DPoP: dpop },
  )
  expect(answer.status).toBe(200)
})

test.each(['harbour-ledger', 'rentwise', 'pocket-board', 'tally'])(
  'the seeded application %s can be signed in to',
  async (id) => {
    const { tokens } = await codeFlow({ ...clientNamed(id) }, 'query')
    expect(tokens.access_token).toBeTruthy()
  },
)

describe('a grant of another profile is unauthorized_client:', () => {
  let parties: Record<string, Party>
  beforeAll(() => {
    parties = {
      web: createParty(freshClient('web')),
      spa: createParty(freshClient('spa')),
      native: createParty(freshClient('native')),
      device: createParty(freshClient('device')),
      service: createParty(clientNamed('ines-agent')),
    }
  })
  const of = (profile: string) => parties[profile] as Party

  const grants: Record<string, Record<string, string>> = {
    authorization_code: { code: 'x', redirect_uri: 'https://x.example/', code_verifier: 'v'.repeat(43) },
    refresh_token: { refresh_token: 'x' },
    client_credentials: { scope: 'operations:read' },
    'urn:ietf:params:oauth:grant-type:device_code': { device_code: 'x' },
  }
  const device = 'urn:ietf:params:oauth:grant-type:device_code'
  const allowed: Record<string, string[]> = {
    web: ['authorization_code', 'refresh_token'],
    spa: ['authorization_code', 'refresh_token'],
    native: ['authorization_code', 'refresh_token'],
    device: [device, 'refresh_token'],
    service: ['client_credentials'],
  }
  const cases = Object.entries(allowed).flatMap(([profile, may]) =>
    Object.keys(grants).flatMap((grant) => (may.includes(grant) ? [] : [[profile, grant] as const])),
  )

  test.each(cases)('%s and %s', async (profile, grant_type) => {
    expectError(await of(profile).token({ grant_type, ...grants[grant_type] }), 400, 'unauthorized_client')
  })

  test.each(['web', 'spa', 'native', 'service'])('%s and device authorization', async (profile) => {
    expectError(await of(profile).askDevice(), 400, 'unauthorized_client')
  })

  test.each(['device', 'service'])('%s and the authorization endpoint', async (profile) => {
    const { client_id } = of(profile).client
    const redirect_uri = 'https://elsewhere.example/callback'
    const request = of('spa').request({ client_id, redirect_uri })
    const url = new URL(environment().baseUrl + paths.authorize)
    url.search = new URLSearchParams(request.parameters).toString()
    const end = await createBrowser().open(url)
    if (end.left) throw new Error('sent somewhere')
    expect(end.page.status).toBe(400)
  })

  test.each(['spa', 'native'])('%s and PAR', async (profile) => {
    expectError(await of(profile).push(of(profile).request().parameters), 400, 'unauthorized_client')
  })

  test.each(['device', 'service'])('%s and PAR, which wants a response type', async (profile) => {
    const { client_id } = of(profile).client
    const request = of('spa').request({ client_id, scope: 'operations:read', nonce: undefined })
    expectError(await of(profile).push(request.parameters), 400, 'invalid_request')
  })
})

describe('openid is for clients of the authorization code alone:', () => {
  test('a service account asking for it is refused', async () => {
    const agent = createParty(clientNamed('ines-agent'))
    const answer = await agent.token({ grant_type: 'client_credentials', scope: 'openid operations:read' })
    expectError(answer, 400, 'invalid_scope')
  })

  test('a device asking for it is refused', async () => {
    const device = createParty(freshClient('device'))
    expectError(await device.askDevice({ scope: 'openid operations:read' }), 400, 'invalid_scope')
  })

  test('a web client whose ceiling does not have it is refused', async () => {
    const party = createParty(clientNamed('no-login-web'))
    const request = party.request({ scope: 'openid operations:read' })
    expectError(await party.push(request.parameters), 400, 'invalid_scope')
  })
})

test('a page of an unknown client names nobody', async () => {
  const url = `${environment().baseUrl}${paths.authorize}?client_id=nobody-here&response_type=code`
  expectErrorPage(await createBrowser().open(url), 'invalid_client')
})

test('a scope below the client’s ceiling but not asked for is not given', async () => {
  const party = createParty(freshClient('spa'))
  const request = party.request({ scope: 'operations:read', nonce: undefined })
  const browser = createBrowser()
  const { left } = await flow(browser, await browser.open(await party.authorizeUrl(request)))
  const { body } = await party.redeem(left?.params.get('code') as string, request)
  const refused = await party.call(body['access_token'], '/v1/beneficiaries')
  expect([refused.status, refused.body['code']]).toEqual([403, 'insufficient_scope'])
  expect(refused.headers.get('www-authenticate')).toContain('scope="beneficiaries:read"')
})

test('a client asking for a scope that its ceiling lacks is sent back, whoever is signed in', async () => {
  const party = createParty(freshClient('native'))
  const request = party.request({ scope: 'openid cards:read' })
  expectSentBack(await createBrowser().open(await party.authorizeUrl(request)), request, 'invalid_scope')
})
