/**
 * An authorization server as its replicas run it, on its own schema, and clients for it: oauth4webapi for correct
 * requests, hand-made assertions and proofs for all others.
 */

import { generateKeyPairSync, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { TunnelledResponse } from '@financial-agents/bus/messages/http'
import { injectTunnelled } from '@financial-agents/pages/tunnel/tunnelled-request'
import type { Database } from '@financial-agents/postgres/database'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { createClock, type MovableClock, moveDateWith } from '@financial-agents/runtime/clock'
import { withContext } from '@financial-agents/runtime/context'
import { createLog } from '@financial-agents/runtime/log'
import { createSealer, sealingKeys } from '@financial-agents/runtime/sealing'
import { type JWTPayload, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import { type AuthorizationServer, createAuthorizationServer, type ServerDependencies } from './authorization-server.ts'
import { startFeed } from './background/feed.ts'
import { endsAreKnown } from './background/known-ends.ts'
import { migrations } from './migrations.ts'
import { applyRegistrations } from './registration/apply-registrations.ts'
import { type Registration, registration } from './registration/registration.ts'
import { createKeySource, type KeySource } from './signing-keys/key-source.ts'
import { addTestPages } from './test-owner.test-helper.ts'

export const baseUrl = 'https://api.example.test'
export const tokenUrl = `${baseUrl}/oauth/token`
export const ownerId = '01980000-0000-7000-8000-000000000001'

export type TestServer = {
  db: Database
  connectionString: string
  schema: string
  /** Two replicas on one database. */
  replicas: [AuthorizationServer, AuthorizationServer]
  /** The signing keys of each replica, read only when a test calls `refresh`. */
  keys: readonly [KeySource, KeySource]
  /** Returns the whole log, at every level. */
  logged: () => string
  clock: MovableClock
  pairwiseKey: Buffer
  sealer: ReturnType<typeof createSealer>
  apply: (registrations: readonly Registration[]) => Promise<string[]>
  close: () => Promise<void>
}

export async function startTestServer(
  options: {
    environment?: ServerDependencies['environment']
    clients?: readonly TestClient[]
    /** Until the server is closed, `Date` has the time of its clock too, because the library reads `Date`. */
    dateFollowsClock?: boolean
    /** By default a clock that follows the system's. */
    clock?: MovableClock
    /** The service's bus. Without a bus, the end of a grant is announced to nobody, and counts as known. */
    bus?: Bus
    /** The time for which the end of a grant waits until it is known. Long by default: the machine may be busy. */
    patienceMs?: () => number
  } = {},
): Promise<TestServer> {
  const {
    environment = 'test',
    clients = [],
    dateFollowsClock = false,
    clock = createClock(),
    bus,
    patienceMs = () => 60_000,
  } = options
  const database = await createTestDatabase({ service: 'authz', migrations })
  const lines: string[] = []
  const log = createLog({ service: 'authz', level: 'trace', destination: { write: (line) => lines.push(line) } })
  const db = database.open(10)
  const SystemDate = globalThis.Date
  if (dateFollowsClock) moveDateWith(clock)
  const pairwiseKey = randomBytes(32)
  const sealer = createSealer(sealingKeys.parse(`a:${randomBytes(32).toString('base64')}`))
  const feed = bus && (await startFeed({ bus, db, log, pauseMs: 1_000 }))
  const known = async (clientId: string) =>
    bus && feed ? endsAreKnown({ bus, feed, db, clock, log }, clientId, patienceMs()) : true
  const dependencies = {
    baseUrl,
    dpopNonceKey: randomBytes(32),
    pairwiseKey,
    db,
    sealer,
    clock,
    log,
    endsAreKnown: known,
  }
  const startReplica = async (): Promise<[AuthorizationServer, KeySource]> => {
    const keys = await createKeySource({ ...dependencies, pauseMs: null })
    const addPages: ServerDependencies['addPages'] = (app, tools) => addTestPages(app, tools, dependencies)
    return [await createAuthorizationServer({ ...dependencies, environment, keys, addPages }), keys]
  }
  const [[one, itsKeys], [other, otherKeys]] = [await startReplica(), await startReplica()]
  const apply: TestServer['apply'] = (registrations) =>
    applyRegistrations(db, registrations, { pairwiseKey, now: clock.now() })
  if (clients.length > 0) await apply(clients.map((client) => client.registration))
  return {
    db,
    connectionString: database.connectionString,
    schema: database.schema,
    replicas: [one, other],
    keys: [itsKeys, otherKeys],
    logged: () => lines.join(''),
    clock,
    pairwiseKey,
    sealer,
    apply,
    close: async () => {
      globalThis.Date = SystemDate
      await feed?.stop()
      await database.close()
    },
  }
}

export type TestClient = { registration: Registration; clientId: string; privateKey: KeyObject }

/** A service account's registration with its own key. It is not applied yet. */
export function makeServiceClient(clientId: string, members: Record<string, unknown> = {}): TestClient {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const declared = registration.parse({
    client_id: clientId,
    name: clientId,
    profile: 'service',
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: `${clientId}-1` }] },
    scopes: ['beneficiaries:read', 'beneficiaries:write', 'operations:read'],
    service_owner: ownerId,
    ...members,
  })
  return { registration: declared, clientId, privateKey }
}

/** A correct assertion, except for the given claims. `undefined` omits a claim. */
export function makeAssertion(
  client: TestClient,
  claims: JWTPayload = {},
  header: Record<string, unknown> = {},
  key: KeyObject = client.privateKey,
): Promise<string> {
  const nowS = Math.floor(Date.now() / 1_000)
  const given = {
    iss: client.clientId,
    sub: client.clientId,
    aud: baseUrl,
    iat: nowS,
    exp: nowS + 60,
    jti: randomUUID(),
  }
  return new SignJWT(withoutUndefined({ ...given, ...claims }))
    .setProtectedHeader({ alg: 'ES256', ...header })
    .sign(key)
}

export type ProofKey = { privateKey: KeyObject; publicKey: KeyObject }

export function makeProofKey(): ProofKey {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

/** A correct proof for the token endpoint, except for the given members. */
export function makeProof(
  key: ProofKey,
  claims: JWTPayload = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const given = { htm: 'POST', htu: tokenUrl, iat: Math.floor(Date.now() / 1_000), jti: randomUUID() }
  const jwk = key.publicKey.export({ format: 'jwk' })
  return new SignJWT(withoutUndefined({ ...given, ...claims }))
    .setProtectedHeader(withoutUndefined({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header }) as { alg: string })
    .sign(key.privateKey)
}

export type TokenAnswer = { status: number; headers: Headers; body: Record<string, unknown> }

export type TokenRequest = { form: [string, string][]; headers?: [string, string][] }

/** Sends one request as the gateway carries it. */
export async function sendToken(
  server: AuthorizationServer,
  { form, headers = [] }: TokenRequest,
): Promise<TokenAnswer> {
  const body = new URLSearchParams(form).toString()
  const type: [string, string] = ['content-type', 'application/x-www-form-urlencoded']
  const answer = await carry(server, 'POST', '/oauth/token', [type, ...headers], body)
  return { status: answer.status, headers: new Headers(answer.headers), body: readJson(answer) }
}

export function readJson(answer: TunnelledResponse): Record<string, unknown> {
  return JSON.parse(Buffer.from(answer.body, 'base64').toString() || '{}') as Record<string, unknown>
}

export function carry(
  { app }: AuthorizationServer,
  method: string,
  target: string,
  headers: [string, string][] = [],
  body = '',
): Promise<TunnelledResponse> {
  const context = { requestId: 'request-of-test', traceparent: '', timeoutMs: 5_000 }
  const request = { method, target, headers, body: Buffer.from(body).toString('base64'), remote_address: '192.0.2.7' }
  return withContext(context, () => injectTunnelled(app, request))
}

export function tokenForm(assertion: string, members: Record<string, string> = {}): [string, string][] {
  return Object.entries({
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: assertion,
    ...members,
  })
}

/** Returns the token endpoint's current nonce. */
export async function fetchNonce(server: AuthorizationServer, client: TestClient): Promise<string> {
  const proof = await makeProof(makeProofKey())
  const answer = await sendToken(server, { form: tokenForm(await makeAssertion(client)), headers: [['dpop', proof]] })
  const nonce = answer.headers.get('dpop-nonce')
  if (nonce === null) throw new Error(`no challenge: ${JSON.stringify(answer.body)}`)
  return nonce
}

/** Sends a correct token request, except for the given members. */
export async function askToken(
  server: AuthorizationServer,
  client: TestClient,
  wrong: {
    members?: Record<string, string>
    assertion?: JWTPayload
    assertionHeader?: Record<string, unknown>
    proof?: JWTPayload
    proofHeader?: Record<string, unknown>
  } = {},
): Promise<TokenAnswer> {
  const nonce = await fetchNonce(server, client)
  const assertion = await makeAssertion(client, wrong.assertion, wrong.assertionHeader)
  const proof = await makeProof(makeProofKey(), { nonce, ...wrong.proof }, wrong.proofHeader)
  return sendToken(server, { form: tokenForm(assertion, wrong.members), headers: [['dpop', proof]] })
}

export function fetchInto(server: AuthorizationServer) {
  return async (input: string | URL, init?: object): Promise<Response> => {
    const request = new Request(input, init)
    const { pathname, search } = new URL(request.url)
    const answer = await carry(server, request.method, pathname + search, [...request.headers], await request.text())
    return new Response(answer.body === '' ? null : Buffer.from(answer.body, 'base64'), {
      status: answer.status,
      headers: answer.headers,
    })
  }
}

/** A client application as its engineers would write it. */
export async function startOauthClient(server: AuthorizationServer, client: TestClient) {
  const issuer = new URL(baseUrl)
  const options = { [oauth.customFetch]: fetchInto(server) }
  const metadata = await oauth
    .discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
    .then((response) => oauth.processDiscoveryResponse(issuer, response))
  const self: oauth.Client = { client_id: client.clientId }
  const jwk = client.privateKey.export({ format: 'jwk' })
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  const proofs = oauth.DPoP(self, await oauth.generateKeyPair('ES256'))
  const request = async (parameters: Record<string, string>) => {
    const answer = await oauth.clientCredentialsGrantRequest(metadata, self, oauth.PrivateKeyJwt(key), parameters, {
      ...options,
      DPoP: proofs,
    })
    return oauth.processClientCredentialsResponse(metadata, self, answer)
  }
  return { metadata, proofs, request }
}

function withoutUndefined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
