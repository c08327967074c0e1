/**
 * Gateways on a real bus. The test plays authz and the area services, which stand for foreign processes. Requests go
 * over real HTTP, each with its own proof, and tests can change every part of them.
 */

import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { type Agent, request as httpRequest } from 'node:http'
import type { Bus } from '@financial-agents/bus/connect'
import { type ConnectionOptions, startTestNats } from '@financial-agents/bus/testing/nats'
import type { ProblemCode } from '@financial-agents/contract/problem-catalogue'
import { createProofMaker, type ProofInput, type ProofMaker } from '@financial-agents/dpop/make-proof'
import { createClock, type MovableClock } from '@financial-agents/runtime/clock'
import { readConfig } from '@financial-agents/runtime/config'
import { checkProblem } from '@financial-agents/testkit/problem-shape'
import { type Area, type allAreas, startAreas, usualAreas } from './areas.test-helper.ts'
import { baseUrl, log, startAuthz } from './authz.test-helper.ts'
import { gatewayConfig } from './config.ts'
import { type Gateway, startGateway } from './start.ts'

export type Response = { status: number; headers: Headers; rawHeaders: string[]; body: unknown; text: string }

export type Request = {
  gateway?: Gateway
  /** undefined: the client's own token; null: no token. */
  token?: string | null
  proof?: string | null
  nonce?: string | null
  proofClaims?: Partial<ProofInput>
  maker?: ProofMaker
  headers?: [string, string][]
  body?: string | Buffer
  key?: string
  /** An agent that keeps the connection open. */
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
  REQUEST_DEADLINE_MS: '30000',
  GRANT_FEED_SILENCE_MS: '60000',
  SIGNING_KEYS_PAUSE_MS: '60000',
  CONNECTION_DRAIN_MS: '0',
}

export type World = Awaited<ReturnType<typeof startWorld>>

export async function startWorld(
  variables: Record<string, string> = {},
  options: { areas?: readonly (typeof allAreas)[number][]; connection?: ConnectionOptions } = {},
) {
  const nats = await startTestNats()
  const clock = createClock()
  const authz = await startAuthz(nats)
  const areas = new Map<string, Area>()
  await startAreas(nats, options.areas ?? usualAreas, areas)
  const gateways: Gateway[] = []
  const buses: Bus[] = []
  const startAnother = async (
    more: Record<string, string> = {},
    connection = options.connection,
    { heard = true }: { heard?: boolean } = {},
  ) => {
    const bus = await nats.connect('gateway', connection)
    const config = readConfig(gatewayConfig, { ...env, ...variables, ...more })
    const gateway = await startGateway(config, { bus, clock, log })
    gateways.push(gateway)
    buses.push(bus)
    if (heard) await authz.heard(gateway)
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
    /** Sends one request, with the gateway's last nonce. */
    send,
    /** Sends a request as a careful client does: fetches a nonce first if it has none. */
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

/** Sends exactly these headers; repeated headers stay repeated. */
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
  const named = headers.some(([name]) => name === 'Host')
  const host: [string, string][] = named ? [] : [['Host', 'elsewhere.example']]
  const flat = [...host, ...headers, ...length].flat()
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
