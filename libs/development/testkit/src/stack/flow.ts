/**
 * Runs through a client's first writes, from token to proof, and prints a line for each step: the requests of a client
 * application, and its view of a lost provider reply.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type ApiClient, type ApiResponse, createServiceClient } from './client.ts'
import type { SeededClient, ServiceAccountClient } from './seed.ts'

type FlowEnd = { baseUrl: string; providerUrl: string; clients: SeededClient[] }

/** The longest wait for the outcome of a write. It only bounds a hang. */
const longestMs = 120_000

/** `pays`: the stack allows withdrawals, and the flow ends with one. */
type FlowOptions = { pays: boolean }

/** Runs through the writes. Throws in one line at the first response that is wrong. */
export async function flow(stack: FlowEnd, { pays }: FlowOptions, say: (line: string) => void): Promise<void> {
  const seeded = stack.clients.find(({ profile }) => profile === 'service') as ServiceAccountClient
  const client = await createServiceClient({
    baseUrl: stack.baseUrl,
    clientId: seeded.client_id,
    privateKeyFile: seeded.private_key_file,
  })
  const scopes = 'beneficiaries:read beneficiaries:write operations:read'
  await client.authorize(pays ? `${scopes} spending:withdraw` : scopes)
  say(`token    for ${seeded.client_id}, by private_key_jwt, bound to its DPoP key`)

  const key = randomUUID()
  const created = await createBeneficiary(client, key, 'Rent')
  say(`create   a beneficiary: 202, operation ${created.body.id} is ${created.body.state}`)
  const settled = await poll(client, created.body.id)
  say(`poll     ${settled.body.state}: beneficiary ${settled.body.resource_id}`)
  const replayed = await createBeneficiary(client, key, 'Rent')
  if (replayed.headers.get('Idempotent-Replayed') !== 'true' || replayed.body.id !== created.body.id)
    throw new Error('the flow: an equal request with the same key was not a replay')
  say('replay   the same key and body: the same operation, Idempotent-Replayed: true')

  await control(stack, 'POST', { script: 'accept_drop_reply', match: { name: 'Electricity' }, times: 1 })
  // Without this fault, the proof would come on a slow machine before the flow has seen the uncertain state.
  await control(stack, 'POST', { script: 'drop_before_accept', match: { kind: 'search' } })
  const lost = await createBeneficiary(client, randomUUID(), 'Electricity')
  const uncertain = await poll(client, lost.body.id, ['indeterminate', 'succeeded'])
  await control(stack, 'DELETE')
  say(
    `dropped  another; the provider accepts it and never answers: ${uncertain.body.state}, ${uncertain.body.failure_code}`,
  )
  const proved = await poll(client, lost.body.id)
  say(`proof    ${proved.body.state}: found at the provider by our reference; submitted once`)
  if (proved.body.state !== 'succeeded') throw new Error(`the flow: expected succeeded, got ${proved.body.state}`)
  if (pays) await pay(client, settled.body.resource_id, say)
}

async function pay(client: ApiClient, beneficiary_id: string, say: (line: string) => void): Promise<void> {
  const body = { beneficiary_id, amount: '12.50', currency: 'EUR' }
  const path = '/v1/spending-account/withdrawals'
  const created = await expectStatus(client.request('POST', path, { key: randomUUID(), body }), 202)
  say(`pay      EUR 12.50 to the first beneficiary: 202, operation ${created.body.id} is ${created.body.state}`)
  const settled = await poll(client, created.body.id)
  if (settled.body.state !== 'succeeded') throw new Error(`the flow: expected succeeded, got ${settled.body.state}`)
  say(`paid     ${settled.body.state}: EUR 12.50 left the spending account`)
}

function createBeneficiary(client: ApiClient, key: string, name: string): Promise<ApiResponse> {
  const body = {
    name,
    country: 'PT',
    currency: 'EUR',
    payout_schema_id: 'sepa_pt_eur',
    details: { iban: 'PT50000201231234567890154' },
  }
  return expectStatus(client.request('POST', '/v1/beneficiaries', { key, body }), 202)
}

async function poll(
  client: ApiClient,
  id: string,
  states = ['succeeded', 'failed', 'cancelled'],
): Promise<ApiResponse> {
  const until = Date.now() + longestMs
  while (Date.now() < until) {
    const response = await expectStatus(client.request('GET', `/v1/operations/${id}`), 200)
    if (states.includes(response.body.state)) return response
    await delay(50)
  }
  throw new Error(`the flow: operation ${id} did not settle within ${longestMs / 1_000} s`)
}

async function expectStatus(request: Promise<ApiResponse>, status: number): Promise<ApiResponse> {
  const response = await request
  if (response.status !== status)
    throw new Error(`the flow: expected ${status}, got ${response.status}: ${response.body.detail ?? ''}`)
  return response
}

/** Orders a fault at the provider, or clears all faults. */
async function control(stack: FlowEnd, method: 'POST' | 'DELETE', fault?: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = fault === undefined ? {} : { headers, body: JSON.stringify(fault) }
  const response = await fetch(`${stack.providerUrl}/control/faults`, { method, ...body })
  if (!response.ok) throw new Error(`the flow: the provider's control answered ${response.status}`)
}
