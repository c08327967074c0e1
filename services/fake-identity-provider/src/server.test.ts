/** The provider as the console's library, openid-client, uses it: over HTTP, by its metadata, with all checks. */

import { getFreePort } from '@financial-agents/servers/ports'
import type { FastifyInstance } from 'fastify'
import * as openid from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, createBrowser } from './browser.test-helper.ts'
import { people } from './people.ts'
import { createServer } from './server.ts'

const redirectUri = 'http://127.0.0.1:8080/ops/signed-in'
const clientSecret = 'a secret of this test alone, and long enough'

let app: FastifyInstance
let issuer: string
let client: openid.Configuration

const discover = (given: string | undefined, id = 'ops-console') =>
  openid.discovery(new URL(issuer), id, given, given === undefined ? openid.None() : undefined, {
    execute: [openid.allowInsecureRequests],
  })

beforeAll(async () => {
  const port = await getFreePort()
  issuer = `http://127.0.0.1:${port}`
  app = createServer(issuer, { clientId: 'ops-console', clientSecret, redirectUris: [redirectUri] })
  await app.listen({ host: '127.0.0.1', port })
  client = await discover(clientSecret)
})

afterAll(() => app.close())

type Request = { url: URL; verifier: string; state: string; nonce: string }

async function request(changes: Record<string, string | undefined> = {}): Promise<Request> {
  const verifier = openid.randomPKCECodeVerifier()
  const state = openid.randomState()
  const nonce = openid.randomNonce()
  const parameters = {
    redirect_uri: redirectUri,
    scope: 'openid profile',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...changes,
  }
  const kept = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { url: openid.buildAuthorizationUrl(client, Object.fromEntries(kept)), verifier, state, nonce }
}

async function choose(browser: Browser, { url }: Request, person: string): Promise<URL> {
  const { url: page } = await browser.follow(url, redirectUri)
  const answer = await browser.open(page, { person })
  return (await browser.follow(new URL(answer.headers.get('location') ?? '', page), redirectUri)).url
}

const redeem = (answer: URL, { verifier, state, nonce }: Request, as = client) =>
  openid.authorizationCodeGrant(as, answer, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  })

test.each(people)('$name signs in and is told apart by sub, name and groups', async ({ subject, name, groups }) => {
  const asked = await request()
  const tokens = await redeem(await choose(createBrowser(), asked, subject), asked)
  expect(tokens.claims()).toMatchObject({ iss: issuer, aud: 'ops-console', sub: subject, name, groups })
  expect(tokens.claims()?.nonce).toBe(asked.nonce)
  expect(tokens.refresh_token).toBeUndefined()
})

test('a browser that signed in is asked again, and may be somebody else', async () => {
  const browser = createBrowser()
  const first = await request()
  await redeem(await choose(browser, first, 'marta.vidal'), first)
  const second = await request()
  expect((await browser.follow(second.url, redirectUri)).url.pathname).toMatch(/^\/sign-in\//)
  const tokens = await redeem(await choose(browser, second, 'jonas.brandt'), second)
  expect(tokens.claims()?.sub).toBe('jonas.brandt')
})

test('without an interaction nobody signs in silently', async () => {
  const { url } = await createBrowser().follow((await request({ prompt: 'none' })).url, redirectUri)
  expect(url.searchParams.get('error')).toBe('login_required')
})

test.each(['', 'nobody.known'])('choosing %j ends it with access_denied', async (person) => {
  const asked = await request()
  const answer = await choose(createBrowser(), asked, person)
  await expect(redeem(answer, asked)).rejects.toMatchObject({ error: 'access_denied' })
})

test.each([
  ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
  ['a plain PKCE', { code_challenge_method: 'plain' }],
  ['an implicit answer', { response_type: 'id_token' }],
])('%s is refused', async (_what, changes) => {
  const { url, page } = await createBrowser().follow((await request(changes)).url, redirectUri)
  expect(page).toBeUndefined()
  expect(url.href).toMatch(/error=(invalid_request|unsupported_response_type|unauthorized_client)/)
})

test('a redirect URI that is not the registered one shows a page and sends nobody anywhere', async () => {
  const { page } = await createBrowser().follow(
    (await request({ redirect_uri: 'http://127.0.0.1:8081/ops/signed-in' })).url,
    redirectUri,
  )
  expect(page?.status).toBe(400)
  expect(await page?.text()).toContain('This sign-in cannot go on')
})

test('a code is valid once, and only with its own verifier and the secret', async () => {
  const asked = await request()
  const answer = await choose(createBrowser(), asked, 'marta.vidal')
  const other = openid.randomPKCECodeVerifier()
  await expect(redeem(answer, { ...asked, verifier: other })).rejects.toMatchObject({ error: 'invalid_grant' })
  const again = await request()
  const code = await choose(createBrowser(), again, 'marta.vidal')
  for (const wrong of [await discover('another secret, of somebody else'), await discover(undefined)])
    await expect(redeem(code, again, wrong)).rejects.toMatchObject({ error: 'invalid_client' })
  await redeem(code, again)
  await expect(redeem(code, again)).rejects.toMatchObject({ error: 'invalid_grant' })
})

test('another browser cannot decide an interaction', async () => {
  const asked = await request()
  const { url } = await createBrowser().follow(asked.url, redirectUri)
  const stranger = createBrowser()
  expect((await stranger.open(url)).status).toBe(400)
  const answer = await stranger.open(url, { person: 'jonas.brandt' })
  expect(answer.status).toBe(400)
  expect(answer.headers.get('location')).toBeNull()
})

test('the page lists everybody, says what it is, and its policy lets it do nothing but send the form and come back', async () => {
  const { page } = await createBrowser().follow((await request()).url, redirectUri)
  const text = (await page?.text()) ?? ''
  for (const words of ['For development only', ...people.map(({ name }) => name)]) expect(text).toContain(words)
  expect(text).not.toContain('<script')
  const policy = page?.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("form-action 'self' http://127.0.0.1:8080;")
  expect(policy).not.toMatch(/script|unsafe/)
})

test('its metadata offers the code flow with PKCE by S256 and nothing more, at its own address whatever host was asked', async () => {
  const answer = await fetch(`${issuer.replace('127.0.0.1', 'localhost')}/.well-known/openid-configuration`)
  expect(await answer.json()).toMatchObject({
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
  })
})
