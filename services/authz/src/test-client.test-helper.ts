/**
 * Client applications of the profiles that act for owners, and the browser of one owner. By default every step is
 * correct. Each step is a function of its own, so a test can do one wrong, twice, or on another replica.
 */

import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { TunnelledResponse } from '@financial-agents/bus/messages/http'
import { calculateJwkThumbprint } from 'jose'
import type { AuthorizationServer } from './authorization-server.ts'
import { registration } from './registration/registration.ts'
import {
  baseUrl,
  carry,
  makeAssertion,
  makeProof,
  makeProofKey,
  type ProofKey,
  readJson,
  sendToken,
  type TestClient,
  type TokenAnswer,
} from './test-server.test-helper.ts'

export const redirectUri = 'https://app.example/callback'
const form: [string, string] = ['content-type', 'application/x-www-form-urlencoded']
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** A client that acts for owners, with its own keys. It is not applied yet. */
export function makeOwnerClient(
  profile: 'web' | 'spa' | 'native' | 'device',
  clientId: string,
  members: Record<string, unknown> = {},
): TestClient {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: `${clientId}-1` }] }
  const openid = profile === 'device' ? [] : ['openid']
  const declared = registration.parse({
    client_id: clientId,
    name: clientId,
    profile,
    scopes: [...openid, 'accounts:read', 'operations:read', 'spending:withdraw'],
    ...(profile === 'web' ? { jwks, redirect_uris: [redirectUri] } : {}),
    ...(profile === 'spa' ? { redirect_uris: [redirectUri], origins: ['https://app.example'] } : {}),
    ...(profile === 'native' ? { redirect_uris: ['http://127.0.0.1/callback', 'com.example.app:/callback'] } : {}),
    ...members,
  })
  return { registration: declared, clientId, privateKey }
}

/** The cookies of one browser, for the one origin. */
export type Browser = { cookies: Map<string, string> }

export function makeBrowser(): Browser {
  return { cookies: new Map() }
}

export async function browse(
  server: AuthorizationServer,
  browser: Browser,
  target: string,
  options: { method?: string; body?: string; headers?: [string, string][] } = {},
): Promise<TunnelledResponse> {
  const path = target.startsWith(baseUrl) ? target.slice(baseUrl.length) : target
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers: [string, string][] = [['accept', 'text/html'], ['cookie', cookie], ...(options.headers ?? [])]
  if (options.body !== undefined) headers.push(form)
  const answer = await carry(server, options.method ?? 'GET', path, headers, options.body ?? '')
  for (const [name, value] of answer.headers)
    if (name === 'set-cookie') {
      const [pair = ''] = value.split(';')
      const [key = '', content = ''] = pair.split(/=(.*)/s)
      if (content === '' || /expires=Thu, 01 Jan 1970/i.test(value)) browser.cookies.delete(key)
      else browser.cookies.set(key, content)
    }
  return answer
}

export function locationOf(answer: TunnelledResponse): string {
  const location = answer.headers.find(([name]) => name === 'location')?.[1]
  if (location === undefined) throw new Error(`no redirect: ${answer.status} ${textOf(answer)}`)
  return location
}

export function textOf(answer: TunnelledResponse): string {
  return Buffer.from(answer.body, 'base64').toString()
}

export type Attempt = { verifier: string; proofKey: ProofKey; parameters: Record<string, string> }

/** A correct authorization request, except for the given members. `undefined` omits a parameter. */
export async function makeAttempt(
  client: TestClient,
  wrong: Record<string, string | undefined> = {},
  proofKey = makeProofKey(),
): Promise<Attempt> {
  const verifier = randomBytes(32).toString('base64url')
  const uris = 'redirect_uris' in client.registration ? client.registration.redirect_uris : []
  const right: Record<string, string | undefined> = {
    client_id: client.clientId,
    response_type: 'code',
    redirect_uri: uris[0],
    scope: 'openid accounts:read',
    state: 'state-1',
    nonce: 'nonce-1',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    dpop_jkt: await thumbprintOf(proofKey),
    ...wrong,
  }
  const given = Object.entries(right).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { verifier, proofKey, parameters: Object.fromEntries(given) }
}

export function thumbprintOf(key: ProofKey): Promise<string> {
  return calculateJwkThumbprint(key.publicKey.export({ format: 'jwk' }))
}

/** Pushes a request and returns the answer. */
export async function push(
  server: AuthorizationServer,
  client: TestClient,
  parameters: Record<string, string>,
  headers: [string, string][] = [],
  wrong: Record<string, string> = {},
): Promise<TokenAnswer> {
  const body = new URLSearchParams({ ...parameters, ...(await authentication(client)), ...wrong }).toString()
  const answer = await carry(server, 'POST', '/oauth/par', [form, ...headers], body)
  return { status: answer.status, headers: new Headers(answer.headers), body: readJson(answer) }
}

/** Returns the address to which a browser is sent. A confidential client pushes the request first. */
export async function authorizeUrl(
  server: AuthorizationServer,
  client: TestClient,
  { parameters }: Attempt,
): Promise<string> {
  if (client.registration.profile !== 'web') return addressOf(parameters)
  const { body } = await push(server, client, parameters)
  if (typeof body['request_uri'] !== 'string') throw new Error(`not pushed: ${JSON.stringify(body)}`)
  return addressOf({ client_id: client.clientId, request_uri: body['request_uri'] })
}

export function addressOf(parameters: Record<string, string>): string {
  return `/oauth/authorize?${new URLSearchParams(parameters).toString()}`
}

/** Follows an authorization until it leaves this origin. The owner signs in and consents when asked. */
export async function flow(
  server: AuthorizationServer,
  browser: Browser,
  url: string,
  { owner = '01980000-0000-7000-8000-0000000000aa', seen = [] as string[] } = {},
): Promise<string> {
  let location = locationOf(await browse(server, browser, url))
  for (let step = 0; step < 10; step += 1) {
    const path = location.startsWith(baseUrl) ? location.slice(baseUrl.length) : location
    if (path.startsWith('/interaction/')) {
      const { prompt } = readJson(await browse(server, browser, path))
      seen.push(String(prompt))
      const act = prompt === 'login' ? 'sign-in' : 'consent'
      location = locationOf(await browse(server, browser, `${path}?act=${act}&owner=${owner}`, { method: 'POST' }))
    } else if (path.startsWith('/oauth/')) location = locationOf(await browse(server, browser, path))
    else return location
  }
  throw new Error('the authorization does not end')
}

export function codeOf(location: string): string {
  const code = new URL(location).searchParams.get('code')
  if (code === null) throw new Error(`no code: ${location}`)
  return code
}

export async function authentication(client: TestClient): Promise<Record<string, string>> {
  const { profile } = client.registration
  if (profile !== 'web' && profile !== 'service') return { client_id: client.clientId }
  return { client_assertion_type: assertionType, client_assertion: await makeAssertion(client) }
}

/** Sends a token request with a proof of this key, and repeats it with the nonce of the answer. */
export async function exchange(
  server: AuthorizationServer,
  client: TestClient,
  proofKey: ProofKey,
  members: Record<string, string>,
): Promise<TokenAnswer> {
  const send = async (claims: Record<string, string>) =>
    sendToken(server, {
      form: Object.entries({ ...members, ...(await authentication(client)) }),
      headers: [['dpop', await makeProof(proofKey, claims)]],
    })
  const first = await send({})
  const nonce = first.headers.get('dpop-nonce')
  return first.body['error'] === 'use_dpop_nonce' && nonce !== null ? send({ nonce }) : first
}

/** Redeems the code of an attempt. */
export function redeem(
  server: AuthorizationServer,
  client: TestClient,
  { verifier, proofKey, parameters }: Attempt,
  code: string,
  wrong: Record<string, string> = {},
): Promise<TokenAnswer> {
  const { redirect_uri = '' } = parameters
  const members = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri, ...wrong }
  return exchange(server, client, proofKey, members)
}

export function refresh(
  server: AuthorizationServer,
  client: TestClient,
  proofKey: ProofKey,
  token: string,
  more: Record<string, string> = {},
): Promise<TokenAnswer> {
  return exchange(server, client, proofKey, { grant_type: 'refresh_token', refresh_token: token, ...more })
}

/** Runs a whole authorization and returns its tokens. */
export async function connect(
  server: AuthorizationServer,
  client: TestClient,
  { browser = makeBrowser(), wrong = {} }: { browser?: Browser; wrong?: Record<string, string | undefined> } = {},
) {
  const attempt = await makeAttempt(client, wrong)
  const code = codeOf(await flow(server, browser, await authorizeUrl(server, client, attempt)))
  const answer = await redeem(server, client, attempt, code)
  if (answer.status !== 200) throw new Error(`no tokens: ${JSON.stringify(answer.body)}`)
  return { browser, attempt, code, proofKey: attempt.proofKey, body: answer.body }
}
