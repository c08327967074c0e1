/** Signing in at an OpenID provider that is not ours, and everything that must not sign anybody in. */

import { generateKeyPairSync } from 'node:crypto'
import type { PolledDeviceAuthentication } from '@financial-agents/provider-port/device-authentication'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createPersonTokens } from './person-tokens.ts'
import { createOpenidSignIn, type OpenidSignIn } from './sign-in.ts'
import { type Lie, startTestIssuer, type TestIssuer } from './testing/openid-provider.ts'
import { readOpenid } from './variables.ts'

const redirectUri = 'http://127.0.0.1:4000/sign-in/return'
const customers = { ines: { name: 'Ines Carvalho', locale: 'pt-PT', zoneinfo: 'Europe/Lisbon' }, plain: {} }
const timeoutMs = 30_000

let issuer: TestIssuer
let pushing: TestIssuer
const opened: OpenidSignIn[] = []

beforeAll(async () => {
  ;[issuer, pushing] = await Promise.all([
    startTestIssuer({ redirectUri, customers }),
    startTestIssuer({ redirectUri, customers, pushed: true }),
  ])
})
afterEach(() => {
  issuer.order.lie = undefined
  issuer.order.isDown = false
  issuer.order.isSilent = false
})
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()))
  await Promise.all([issuer.close(), pushing.close()])
})

function signInAt(at: TestIssuer, changes: Record<string, string> = {}): OpenidSignIn {
  const options = readOpenid({ ...at.variables, ...changes })
  if (options === undefined) throw new Error('no variable asks for a sign-in')
  const signIn = createOpenidSignIn(options)
  opened.push(signIn)
  return signIn
}

let starts = 0
async function start(signIn: OpenidSignIn) {
  const state = `state-${(starts += 1)}`
  const started = await signIn.startDeviceAuthentication({
    returnUrl: `${redirectUri}?state=${state}`,
    reference: 'not-used',
    timeoutMs,
  })
  if (started.type !== 'started') throw new Error(`not started: ${started.reason}`)
  return { ...started, state }
}

const poll = (signIn: OpenidSignIn, authentication: string, back: URL | string) =>
  signIn.pollDeviceAuthentication({
    authentication,
    response: typeof back === 'string' ? back : back.search.slice(1),
    timeoutMs,
  })

async function walk(signIn: OpenidSignIn, at = issuer, person = 'ines'): Promise<PolledDeviceAuthentication> {
  const { authentication, hostedUrl } = await start(signIn)
  return poll(signIn, authentication, await at.visit(hostedUrl, person))
}

describe('a person who signs in', () => {
  test('is the customer of the ID token, with the access token as the credentials', async () => {
    const approved = await walk(signInAt(issuer, { SIGN_IN_SCOPE: 'openid profile' }))
    expect(approved).toEqual({
      type: 'approved',
      credentials: expect.any(String),
      customer: { reference: 'ines', display_name: 'Ines Carvalho', locale: 'pt-PT', timezone: 'Europe/Lisbon' },
    })
    if (approved.type === 'approved') expect(await issuer.customerOf(approved.credentials)).toBe('ines')
  })

  test('is named by the claim of the configuration, and shown plainly where the issuer tells nothing', async () => {
    const approved = await walk(signInAt(issuer, { SIGN_IN_CUSTOMER_CLAIM: 'customer_number' }), issuer, 'plain')
    expect(approved).toMatchObject({
      type: 'approved',
      customer: { reference: 'no-plain', display_name: null, locale: 'en', timezone: 'UTC' },
    })
  })

  test('may be identified by a client with a secret', async () => {
    const { SIGN_IN_ISSUER } = issuer.variables
    const options = readOpenid({
      SIGN_IN_ISSUER: SIGN_IN_ISSUER ?? '',
      SIGN_IN_CLIENT_ID: 'by-secret',
      SIGN_IN_CLIENT_SECRET: issuer.secret,
    })
    const signIn = createOpenidSignIn(options as NonNullable<typeof options>)
    opened.push(signIn)
    expect(await walk(signIn)).toMatchObject({ type: 'approved', customer: { reference: 'ines' } })
  })

  test('is sent with a pushed request where the issuer takes them: the browser carries none of it', async () => {
    const signIn = signInAt(pushing)
    const { authentication, hostedUrl } = await start(signIn)
    expect([...new URL(hostedUrl).searchParams.keys()].toSorted()).toEqual(['client_id', 'request_uri'])
    expect(await poll(signIn, authentication, await pushing.visit(hostedUrl, 'ines'))).toMatchObject({
      type: 'approved',
    })
  })

  test('is sent with state, nonce and S256, is asked to sign in again, and no secret is in the address', async () => {
    const { authentication, hostedUrl, state } = await start(signInAt(issuer))
    const { searchParams } = new URL(hostedUrl)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: redirectUri,
      state,
      code_challenge_method: 'S256',
      prompt: 'login',
      max_age: '600',
    })
    expect(hostedUrl).not.toContain(JSON.parse(authentication).verifier)
  })

  test('who goes back has declined', async () => {
    const signIn = signInAt(issuer)
    const { authentication, hostedUrl } = await start(signIn)
    expect(await poll(signIn, authentication, await issuer.visit(hostedUrl, null))).toEqual({ type: 'declined' })
  })

  test('who has not come back is awaited', async () => {
    const signIn = signInAt(issuer)
    const { authentication } = await start(signIn)
    expect(await signIn.pollDeviceAuthentication({ authentication, timeoutMs })).toEqual({ type: 'pending' })
  })
})

describe('a response is refused', () => {
  const stranger = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
  const lies: [string, Lie][] = [
    ['for another client', (claims, sign) => sign({ ...claims, aud: 'somebody-else' })],
    [
      'for several, of which another is the authorized party',
      (claims, sign) => sign({ ...claims, aud: ['financial-agents', 'somebody-else'], azp: 'somebody-else' }),
    ],
    ['of another issuer', (claims, sign) => sign({ ...claims, iss: 'https://elsewhere.example' })],
    ['of another start (nonce)', (claims, sign) => sign({ ...claims, nonce: 'another' })],
    ['without a nonce', (claims, sign) => sign({ ...claims, nonce: undefined })],
    ['that has expired', (claims, sign) => sign({ ...claims, exp: Math.floor(Date.now() / 1_000) - 600 })],
    [
      'of a person who signed in before',
      (claims, sign) => sign({ ...claims, auth_time: Math.floor(Date.now() / 1_000) - 300 }),
    ],
    ['without the time of the sign-in', (claims, sign) => sign({ ...claims, auth_time: undefined })],
    ['without a customer', (claims, sign) => sign({ ...claims, customer_number: undefined })],
    ['signed by somebody else', (claims, sign) => sign(claims, { key: stranger })],
    [
      'signed by somebody else under the name of the key',
      (claims, sign) => sign(claims, { key: stranger, header: { kid: 'issuer-key' } }),
    ],
    [
      'with alg none',
      async (claims) =>
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`,
    ],
    ['that is no JWT', async () => 'not-a-token'],
  ]
  test.each(lies)('with an ID token %s', async (_, lie) => {
    issuer.order.lie = lie
    const polled = await walk(signInAt(issuer, { SIGN_IN_CUSTOMER_CLAIM: 'customer_number' }))
    expect(polled).toEqual({ type: 'refused', reason: expect.stringMatching(/^[A-Z_]+$/) })
  })

  test.each<[string, (back: URLSearchParams, other: URLSearchParams) => void]>([
    ['with another state', (back) => back.set('state', 'another')],
    ['without a state', (back) => back.delete('state')],
    ['of another issuer (iss)', (back) => back.set('iss', 'https://elsewhere.example')],
    ['without the issuer', (back) => back.delete('iss')],
    ['with a code of nobody', (back) => back.set('code', 'invented')],
    ['with the code of another start', (back, other) => back.set('code', other.get('code') ?? '')],
    ['with two codes', (back) => back.append('code', 'invented')],
    [
      'that tells of a refusal without the issuer',
      (back) => {
        for (const name of ['code', 'iss']) back.delete(name)
        back.set('error', 'access_denied')
      },
    ],
  ])('%s', async (_, change) => {
    const signIn = signInAt(issuer)
    const [mine, other] = await Promise.all([start(signIn), start(signIn)])
    const [back, others] = await Promise.all([
      issuer.visit(mine.hostedUrl, 'ines'),
      issuer.visit(other.hostedUrl, 'plain'),
    ])
    change(back.searchParams, others.searchParams)
    expect(await poll(signIn, mine.authentication, back)).toMatchObject({ type: 'refused' })
  })

  test('a second time: its code is good once', async () => {
    const signIn = signInAt(issuer)
    const { authentication, hostedUrl } = await start(signIn)
    const back = await issuer.visit(hostedUrl, 'ines')
    expect((await poll(signIn, authentication, back)).type).toBe('approved')
    expect((await poll(signIn, authentication, back)).type).toBe('refused')
  })
})

describe('an issuer that does not answer', () => {
  test('starts nothing, is asked again later, and says nothing of the sign-in under way', async () => {
    const signIn = signInAt(issuer)
    issuer.order.isDown = true
    const request = { returnUrl: `${redirectUri}?state=any`, reference: 'not-used', timeoutMs }
    expect(await signIn.startDeviceAuthentication(request)).toEqual({
      type: 'unavailable',
      reason: 'provider_unreachable',
    })
    issuer.order.isDown = false
    const { authentication, hostedUrl } = await start(signIn)
    const back = await issuer.visit(hostedUrl, 'ines')
    issuer.order.isDown = true
    expect(await poll(signIn, authentication, back)).toMatchObject({ type: 'unavailable' })
    issuer.order.isDown = false
    expect(await poll(signIn, authentication, back)).toMatchObject({ type: 'approved' })
  })

  test('ends with the time of the call', async () => {
    const signIn = signInAt(issuer)
    issuer.order.isSilent = true
    const request = { returnUrl: `${redirectUri}?state=any`, reference: 'not-used', timeoutMs: 50 }
    expect(await signIn.startDeviceAuthentication(request)).toEqual({ type: 'unavailable', reason: 'provider_timeout' })
  })

  test('is not the one of the configuration where it calls itself otherwise', async () => {
    const signIn = signInAt(issuer, { SIGN_IN_ISSUER: `${issuer.issuer}/other` })
    const request = { returnUrl: `${redirectUri}?state=any`, reference: 'not-used', timeoutMs }
    expect(await signIn.startDeviceAuthentication(request)).toMatchObject({ type: 'unavailable' })
  })

  test.each(['server_error', 'temporarily_unavailable'])(
    'but answers %s has said nothing of the person',
    async (error) => {
      const signIn = signInAt(issuer)
      const { authentication, state } = await start(signIn)
      const back = new URLSearchParams({ error, state, iss: issuer.issuer }).toString()
      expect(await poll(signIn, authentication, back)).toEqual({ type: 'unavailable', reason: 'provider_error' })
    },
  )
})

describe('with a refresh token as the credentials', () => {
  const changes = { SIGN_IN_CREDENTIALS: 'refresh_token', SIGN_IN_SCOPE: 'openid offline_access' }

  test('people are named by access tokens, each of which is asked for once', async () => {
    const approved = await walk(signInAt(issuer, changes))
    if (approved.type !== 'approved') throw new Error(approved.type)
    expect(await issuer.customerOf(approved.credentials)).toBeUndefined()
    const tokens = createPersonTokens(readOpenid({ ...issuer.variables, ...changes }) as never)
    const before = issuer.asked.length
    const got = await Promise.all(Array.from({ length: 20 }, () => tokens.get(approved.credentials, timeoutMs)))
    expect(issuer.asked.slice(before).filter((path) => path === '/token')).toHaveLength(1)
    for (const one of got) expect(one).toEqual(got[0])
    expect(got[0]?.type === 'token' && (await issuer.customerOf(got[0].token))).toBe('ines')
    tokens.forget(approved.credentials)
    expect(await tokens.get(approved.credentials, timeoutMs)).not.toEqual(got[0])
    expect(await tokens.get('of-nobody', timeoutMs)).toEqual({ type: 'refused' })
    issuer.order.isDown = true
    expect(await tokens.get('of-nobody', timeoutMs)).toEqual({ type: 'unavailable' })
    expect((await tokens.get(approved.credentials, timeoutMs)).type).toBe('token')
    await tokens.close()
  })

  test('a sign-in that gives none is refused', async () => {
    const signIn = signInAt(issuer, { SIGN_IN_CREDENTIALS: 'refresh_token' })
    expect(await walk(signIn)).toEqual({ type: 'refused', reason: 'NO_USABLE_TOKEN' })
  })
})

describe('the variables', () => {
  const key = String(stringOf())
  const right = {
    SIGN_IN_ISSUER: 'https://login.bank.example',
    SIGN_IN_CLIENT_ID: 'us',
    SIGN_IN_CLIENT_KEY: key,
    SIGN_IN_CLIENT_KEY_ID: 'key-1',
  }

  test('ask for nothing where there are none', () => {
    expect(readOpenid({ URL: 'https://bank.example' })).toBeUndefined()
    expect(readOpenid(right)).toMatchObject({ scope: 'openid', customerClaim: 'sub', credentials: 'access_token' })
  })

  test.each<[string, Record<string, string>]>([
    ['SIGN_IN_ISSUER', { SIGN_IN_ISSUER: 'http://login.bank.example' }],
    ['SIGN_IN_CLIENT_KEY', { SIGN_IN_CLIENT_KEY: 'a-secret-that-is-no-key' }],
    ['SIGN_IN_CLIENT_KEY', { SIGN_IN_CLIENT_SECRET: 'a-secret-that-is-no-key' }],
    ['SIGN_IN_CLIENT_KEY_ID', { SIGN_IN_CLIENT_KEY_ID: '' }],
    ['SIGN_IN_SCOPE', { SIGN_IN_SCOPE: 'profile' }],
    ['SIGN_IN_CREDENTIALS', { SIGN_IN_CREDENTIALS: 'id_token' }],
  ])('that are wrong are named (%s), without a value', (name, changes) => {
    expect(() => readOpenid({ ...right, ...changes })).toThrow(name)
    expect(() => readOpenid({ ...right, ...changes })).not.toThrow('a-secret')
  })
})

function stringOf() {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({ type: 'pkcs8', format: 'pem' })
}
