/**
 * Gateways on a real bus, with authz and the area services played by the test: they stand for foreign processes. Requests
 * go over real HTTP, each with a proof of its own, and everything about them can be changed.
 */

import { generateKeyPairSync, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { type Agent, request as httpRequest } from 'node:http'
import type { Bus } from '@financial-agents/bus/connect'
import type { GrantFeedMessage, GrantView } from '@financial-agents/bus/messages/authority'
import type { CarriedRequest, CarriedResponse } from '@financial-agents/bus/messages/http'
import { type Reply, type RouteRequest, serveCall } from '@financial-agents/bus/rpc'
import type { ProblemCode } from '@financial-agents/contract/problem-catalogue'
import { createProofMaker, type ProofInput, type ProofMaker } from '@financial-agents/dpop/make-proof'
import { createClock, type MovableClock } from '@financial-agents/runtime/clock'
import { readConfig } from '@financial-agents/runtime/config'
import { createLog } from '@financial-agents/runtime/log'
import { startTestNats, type TestNats } from '@financial-agents/testkit/nats'
import { checkProblem } from '@financial-agents/testkit/problem-shape'
import { exportJWK, SignJWT } from 'jose'
import { gatewayConfig } from './config.ts'
import { type Gateway, startGateway } from './gateway.ts'

export const baseUrl = 'https://api.example.test'
export const log = createLog({ service: 'test', level: process.env.TEST_LOG_LEVEL ?? 'silent' })

export type Seen = RouteRequest & { principal: unknown; requestId: string; traceparent: string; timeoutMs: number }
export type Area = (request: Seen) => Reply<unknown> | Promise<Reply<unknown>>

export type Response = { status: number; headers: Headers; rawHeaders: string[]; body: unknown; text: string }

export type Request = {
  gateway?: Gateway
  /** undefined: the client's own; null: none. */
  token?: string | null
  proof?: string | null
  nonce?: string | null
  proofClaims?: Partial<ProofInput>
  maker?: ProofMaker
  headers?: [string, string][]
  body?: string | Buffer
  key?: string
  /** Keeps the connection. */
  agent?: Agent
}

export const nonceKey = randomBytes(32)

const env = {
  NATS_URL: 'unused',
  NATS_NKEY_SEED: 'unused',
  ENVIRONMENT: 'test',
  PUBLIC_BASE_URL: baseUrl,
  HOST: '127.0.0.1',
  PORT: '0',
  NONCE_KEY: nonceKey.toString('base64'),
  REQUEST_HASH_KEY: randomBytes(32).toString('base64'),
  GRANT_RATE_PER_S: '0',
  ADDRESS_RATE_PER_S: '0',
  REQUEST_DEADLINE_MS: '500',
}

export type World = Awaited<ReturnType<typeof startWorld>>

const allAreas = ['operations', 'beneficiaries'] as const

export async function startWorld(
  variables: Record<string, string> = {},
  options: { areas?: readonly (typeof allAreas)[number][] } = {},
) {
  const nats = await startTestNats()
  const clock = createClock()
  const authz = await startAuthz(nats)
  const areas = new Map<string, Area>()
  await startAreas(nats, options.areas ?? allAreas, areas)
  const gateways: Gateway[] = []
  const buses: Bus[] = []
  const startAnother = async (more: Record<string, string> = {}) => {
    const bus = await nats.connect('gateway')
    const config = readConfig(gatewayConfig, { ...env, ...variables, ...more })
    const gateway = await startGateway({ config, bus, clock, log })
    gateways.push(gateway)
    buses.push(bus)
    await authz.heard(gateway)
    return gateway
  }
  const first = await startAnother()
  const maker = newMaker()
  const token = await authz.token(maker)
  const nonces = new Map<Gateway, string>()

  const send = async (method: string, path: string, given: Request = {}): Promise<Response> => {
    const gateway = given.gateway ?? first
    const headers = protectedHeaders(method, path, given, { maker, token, clock, nonce: nonces.get(gateway) })
    const response = await sendRaw(gateway.url, method, path, headers, given.body, given.agent)
    const nonce = response.headers.get('dpop-nonce')
    if (nonce) nonces.set(gateway, nonce)
    return response
  }
  return {
    nats,
    clock,
    authz,
    areas,
    gateways,
    buses,
    maker,
    token,
    nonces,
    startAnother,
    /** One request; the nonce is the last that the gateway gave. */
    send,
    /** A request as a careful client sends it: fetches a nonce first where it has none. */
    request: async (method: string, path: string, given: Request = {}) => {
      const gateway = given.gateway ?? first
      if (!nonces.has(gateway)) await send('GET', '/v1/operations', { gateway })
      return send(method, path, given)
    },
    stop: async () => {
      authz.silence()
      await Promise.all(gateways.map((gateway) => gateway.stop()))
      await nats.stop()
    },
  }
}

type Client = { maker: ProofMaker; token: string; clock: MovableClock; nonce: string | undefined }

function protectedHeaders(method: string, path: string, given: Request, client: Client): [string, string][] {
  const headers: [string, string][] = []
  const token = given.token === undefined ? client.token : given.token
  if (token !== null) headers.push(['Authorization', `DPoP ${token}`])
  if (given.proof !== null) {
    const nonce = given.nonce === undefined ? client.nonce : given.nonce
    const proof =
      given.proof ??
      (given.maker ?? client.maker).makeProof({
        method,
        url: baseUrl + path,
        accessToken: token ?? '',
        iatMs: client.clock.nowMs(),
        ...(nonce ? { nonce } : {}),
        ...given.proofClaims,
      })
    headers.push(['DPoP', proof])
  }
  if (given.key !== undefined) headers.push(['Idempotency-Key', given.key])
  const named = new Set((given.headers ?? []).map(([name]) => name.toLowerCase()))
  if (given.body !== undefined && !named.has('content-type')) headers.push(['Content-Type', 'application/json'])
  return [...headers, ...(given.headers ?? [])]
}

/** Exactly these headers, repeated ones repeated. */
export function sendRaw(
  url: string,
  method: string,
  path: string,
  headers: [string, string][],
  body?: string | Buffer,
  agent?: Agent,
): Promise<Response> {
  const { hostname, port } = new URL(url)
  const chunked = headers.some(([name]) => name.toLowerCase() === 'transfer-encoding')
  const length: [string, string][] =
    body === undefined || chunked ? [] : [['Content-Length', String(Buffer.byteLength(body))]]
  const flat = [['Host', 'elsewhere.example'], ...headers, ...length].flat()
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path, headers: flat, agent: agent ?? false }, (received) => {
      const chunks: Buffer[] = []
      received.on('data', (chunk: Buffer) => chunks.push(chunk))
      received.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = (received.headers['content-type'] ?? '').includes('json')
        resolve({
          status: received.statusCode ?? 0,
          headers: new Headers(Object.entries(received.headers).map(([name, value]) => [name, String(value)])),
          rawHeaders: received.rawHeaders,
          text,
          body: isJson && text !== '' ? JSON.parse(text) : undefined,
        })
      })
      received.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export function newMaker(): ProofMaker {
  return createProofMaker(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
}

export const grant: GrantView = {
  grant_id: 'grant-1',
  client_id: 'client-1',
  owner_id: 'owner-1',
  subject: 'subject-1',
  status: 'active',
  scopes: ['operations:read', 'beneficiaries:read', 'beneficiaries:write'],
  binding_id: 'binding-1',
  expires_at: null,
}

/** What GET /v1/session answers where nobody is signed in. */
export const nobody = { authenticated: false, display_name: null, csrf_token: null, expires_at: null }

type Claims = Record<string, unknown>

/** authz as the gateway sees it: keys, grants, origins, carried requests and the feed. */
async function startAuthz(nats: TestNats) {
  const bus = await nats.connect('authz')
  const signers = new Map<string, KeyObject>()
  const keys: Record<string, unknown>[] = []
  const publishKey = async (kid: string) => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    signers.set(kid, privateKey)
    keys.push({ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' })
  }
  await publishKey('key-1')
  const grants = new Map<string, GrantView>([[grant.grant_id, grant]])
  const state = {
    reads: 0,
    keysAway: false,
    origins: ['https://app.example.test'],
    beforeGrant: async () => {},
    http: async (request: CarriedRequest): Promise<CarriedResponse> => {
      const body = request.target === '/v1/session' ? Buffer.from(JSON.stringify(nobody)).toString('base64') : ''
      return { status: 200, headers: [], body }
    },
  }
  serveCall(
    bus,
    'rpc.authz.keys',
    async () => {
      if (state.keysAway) throw new Error('authz is out of reach')
      return { keys }
    },
    { log },
  )
  serveCall(bus, 'rpc.authz.origins', async () => ({ origins: state.origins }), { log })
  serveCall(bus, 'rpc.authz.http', (request) => state.http(request), { log })
  serveCall(
    bus,
    'rpc.authz.grant',
    async ({ grant_id }) => {
      state.reads += 1
      const view = grants.get(grant_id) ?? null
      await state.beforeGrant()
      return view
    },
    { log },
  )
  await bus.check()

  const publisher = randomUUID()
  let sequence = 0
  const publish = (change: GrantFeedMessage['change'], skip = 0) => {
    sequence += 1 + skip
    const message: GrantFeedMessage = { publisher, sequence, change }
    bus.publish('evt.grants', JSON.stringify(message))
  }
  let beating = setInterval(() => publish(null), 50)
  return {
    bus,
    keys,
    publishKey,
    grants,
    state,
    publish,
    silence: () => clearInterval(beating),
    speak: () => {
      clearInterval(beating)
      beating = setInterval(() => publish(null), 50)
    },
    heard: async (gateway: Gateway) => {
      while (
        await gateway.checks.grant_feed?.().then(
          () => false,
          () => true,
        )
      )
        await pause(10)
    },
    token: (maker: ProofMaker, claims: Claims = {}, header: Record<string, unknown> = {}) => {
      const nowS = Math.floor(Date.now() / 1_000)
      return new SignJWT({
        iss: baseUrl,
        aud: baseUrl,
        sub: 'subject-1',
        client_id: 'client-1',
        grant_id: 'grant-1',
        scope: grant.scopes.join(' '),
        jti: randomUUID(),
        iat: nowS,
        exp: nowS + 300,
        cnf: { jkt: maker.jkt },
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'key-1', ...header })
        .sign(signers.get(String(header['kid'])) ?? (signers.get('key-1') as KeyObject))
    },
  }
}

/** Every route of the area services; a route without an answer of the test's answers with what it was asked. */
async function startAreas(
  nats: TestNats,
  users: readonly (typeof allAreas)[number][],
  areas: Map<string, Area>,
): Promise<void> {
  for (const user of users) await serveArea(await nats.connect(user), user, areas)
}

const areaRoutes = {
  operations: ['listOperations', 'getOperation', 'createConfirmationIntent', 'getConfirmationIntent'],
  beneficiaries: [
    'createBeneficiary',
    'listBeneficiaries',
    'getBeneficiary',
    'listPayoutSchemas',
    'getPayoutSchema',
    'listAddressCountries',
  ],
}

async function serveArea(bus: Bus, user: keyof typeof areaRoutes, areas: Map<string, Area>): Promise<void> {
  for (const name of areaRoutes[user]) {
    bus.respond(`rpc.${user}.${name}`, user, {
      handler: async (data, { principal, requestId, traceparent, timeoutMs }) => {
        const request = JSON.parse(Buffer.from(data).toString()) as RouteRequest
        const area = areas.get(name) ?? (() => ({ ok: true, data: { asked: name } }))
        return JSON.stringify(await area({ ...request, principal, requestId, traceparent, timeoutMs }))
      },
      maxInFlight: 10_000,
      busy: '',
      onError: (error) => log.error({ err: error }, 'the test could not answer'),
    })
  }
  await bus.check()
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** The response is exactly this problem. */
export function expectProblem(
  response: Response,
  code: ProblemCode,
  instance: string,
  refreshOnboarding?: boolean,
): { code: string; detail: string; fields: { path: string; message: string }[] | null } {
  const expected = { baseUrl, code, instance }
  checkProblem(response, refreshOnboarding === undefined ? expected : { ...expected, refreshOnboarding })
  return response.body as ReturnType<typeof expectProblem>
}
