/**
 * A load generator in a process of its own, so that its CPU time does not count as the system's. Reads one JSON task
 * from its arguments, prints a line when it starts to count, and one JSON result. Every request has a proof of its own;
 * each simulated client has a key. Reads are signed before counting starts, so that signing takes no CPU from the
 * measured system.
 */

import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { createProofMaker, type ProofMaker } from '@financial-agents/dpop/make-proof'
import { importJWK, SignJWT } from 'jose'
import { Pool } from 'undici'
import { openConnection, type RawConnection } from './raw-connection.ts'

export type LoadTask = {
  baseUrl: string
  clientId: string
  privateKeyFile: string
  scope: string
  clients: number
  concurrency: number
  /** Stops after this many requests. The first `warmUp` of them do not count. */
  requests: number
  warmUp: number
  /** A steady rate; if absent, as fast as the answers arrive. Latency then begins when a request is due. */
  perS?: number
  /** The addresses of the gateway's replicas, which take turns; if absent, `baseUrl`. */
  addresses?: string[]
} & (
  | { kind: 'read'; path: string /** The target of the reads, if not `baseUrl`. */; apiUrl?: string }
  | { kind: 'create' }
  | { kind: 'token' }
)

export type LoadResult = {
  counted: number
  elapsedMs: number
  statuses: Record<string, number>
  /** The start and end of counting, in epoch milliseconds. */
  beganAtMs: number
  endedAtMs: number
  latencyMs: { p50: number; p99: number }
}

/** One simulated client: a DPoP key, and the last nonces from the token endpoint and from the API. */
type Client = { maker: ProofMaker; token: string; tokenNonce: string; nonce: string }

const task = JSON.parse(process.argv[2] ?? '{}') as LoadTask
const pool = new Pool(task.baseUrl, { connections: task.concurrency, pipelining: 1 })
const gateways = (task.addresses ?? [task.baseUrl]).map(
  (address) => new Pool(address, { connections: task.concurrency, pipelining: 1 }),
)
const jwk = JSON.parse(readFileSync(task.privateKeyFile, 'utf8'))
const assertionKey = await importJWK(jwk, 'ES256')
const tokenUrl = `${task.baseUrl}/oauth/token`

/** Requests a token with a new assertion and a new proof; answers a challenge once. */
async function getToken(client: Client): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    const { maker, tokenNonce } = client
    const assertion = await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: jwk.kid })
      .setIssuer(task.clientId)
      .setSubject(task.clientId)
      .setAudience(task.baseUrl)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime('60s')
      .sign(assertionKey)
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      scope: task.scope,
      resource: task.baseUrl,
      client_id: task.clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    })
    const proof = maker.makeProof({ method: 'POST', url: tokenUrl, ...(tokenNonce ? { nonce: tokenNonce } : {}) })
    const response = await pool.request({
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded', dpop: proof },
      body: form.toString(),
    })
    const body = (await response.body.json()) as Record<string, string>
    client.tokenNonce = String(response.headers['dpop-nonce'] ?? tokenNonce)
    if (response.statusCode === 200) client.token = body.access_token as string
    if (body.error !== 'use_dpop_nonce' || attempt > 0) return response.statusCode
  }
}

async function createClient(): Promise<Client> {
  const maker = createProofMaker(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
  const client: Client = { maker, token: '', tokenNonce: '', nonce: '' }
  const status = await getToken(client)
  if (status !== 200) throw new Error(`the token endpoint answered ${status}`)
  return client
}

async function create(client: Client, gateway: Pool): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    const { maker, token, nonce } = client
    const url = `${task.baseUrl}/v1/beneficiaries`
    const proof = maker.makeProof({ method: 'POST', url, accessToken: token, ...(nonce ? { nonce } : {}) })
    const response = await gateway.request({
      method: 'POST',
      path: '/v1/beneficiaries',
      headers: {
        authorization: `DPoP ${token}`,
        dpop: proof,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: beneficiary,
    })
    client.nonce = String(response.headers['dpop-nonce'] ?? client.nonce)
    await response.body.dump()
    if (response.statusCode !== 401 || attempt > 0) return response.statusCode
  }
}

/** Signs every read before the first one is sent, with a nonce that lives long enough. Each worker has a connection. */
async function prepareReads({ path, apiUrl = task.baseUrl }: { path: string; apiUrl?: string }): Promise<Send> {
  const { headers, body } = await pool.request({ method: 'GET', path })
  await body.dump()
  const nonce = String(headers['dpop-nonce'])
  const { host } = new URL(apiUrl)
  const requests = Array.from({ length: task.requests }, (_, index) => {
    const { maker, token } = clientOf(index)
    const proof = maker.makeProof({ method: 'GET', url: apiUrl + path, accessToken: token, nonce })
    return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: DPoP ${token}\r\nDPoP: ${proof}\r\n\r\n`
  })
  const addresses = task.addresses ?? [apiUrl]
  const connections = await Promise.all(
    Array.from({ length: task.concurrency }, (_, worker) =>
      openConnection(addresses[worker % addresses.length] as string),
    ),
  )
  return (index, worker) => (connections[worker] as RawConnection).send(requests[index] as string)
}

/** Sends the request with this index; returns its status. */
type Send = (index: number, worker: number) => Promise<number>

const beneficiary = JSON.stringify({
  name: 'Load',
  country: 'PT',
  currency: 'EUR',
  payout_schema_id: 'sepa_pt_eur',
  details: { iban: 'PT50000201231234567890154' },
})

const clients = await Promise.all(Array.from({ length: task.clients }, createClient))
const clientOf = (index: number) => clients[index % clients.length] as Client
const sends: Record<LoadTask['kind'], () => Promise<Send>> = {
  read: () => prepareReads(task as Extract<LoadTask, { kind: 'read' }>),
  create: async () => (index, worker) => create(clientOf(index), gateways[worker % gateways.length] as Pool),
  token: async () => (index) => getToken(clientOf(index)),
}
const send = await sends[task.kind]()
const statuses: Record<string, number> = {}
const latencies: number[] = []
let sent = 0
let beganAtMs = 0
const { perS } = task
const firstDueAt = performance.now()
await Promise.all(
  Array.from({ length: task.concurrency }, async (_, worker) => {
    while (sent < task.requests) {
      const index = sent
      sent += 1
      if (index === task.warmUp) {
        beganAtMs = Date.now()
        process.stdout.write('counting\n')
      }
      const startedAt = perS === undefined ? performance.now() : firstDueAt + (index * 1_000) / perS
      const waitMs = startedAt - performance.now()
      if (waitMs > 0) await delay(waitMs)
      const status = await send(index, worker)
      if (index < task.warmUp) continue
      latencies.push(performance.now() - startedAt)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }),
)
const endedAtMs = Date.now()
latencies.sort((a, b) => a - b)
const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
const result: LoadResult = {
  counted: latencies.length,
  elapsedMs: endedAtMs - beganAtMs,
  statuses,
  beganAtMs,
  endedAtMs,
  latencyMs: { p50: at(0.5), p99: at(0.99) },
}
process.stdout.write(`${JSON.stringify(result)}\n`)
process.exit(0)
