/** A stack for a test file, and the common steps of the journeys. */

import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isTerminal } from '@financial-agents/contract/machine'
import { hastySettings } from '@financial-agents/servers/postgres-server'
import { type ApiClient, type ApiResponse, createServiceClient } from '@financial-agents/testkit/client'
import { findPrepared } from '@financial-agents/testkit/prepared'
import { removeStackFolder, type Stack, type StackOptions, startStack } from '@financial-agents/testkit/stack'
import type { Owner } from './owner.test-helper.ts'

export const scope = 'beneficiaries:read beneficiaries:write operations:read'

/** The gateway's usual deadline for a request, for tests in which requests reach it. */
export const usualDeadline = { REQUEST_DEADLINE_MS: '5000', NATS_REQUEST_GRACE_MS: '0' }

/**
 * No request limits, and deadlines of requests and submissions that no test reaches unless it sets others. An operation that
 * never arrives at the provider therefore stays `indeterminate`. On a busy machine, authz may be silent for longer than the
 * usual five seconds. 200 requests at once, an answer on the bus and an answer of the provider may take as long.
 */
const testEnvironment: NonNullable<StackOptions['environment']> = {
  all: { NATS_REQUEST_GRACE_MS: '15000', PROVIDER_READ_TIMEOUT_MS: '15000' },
  gateway: {
    GRANT_RATE_PER_S: '0',
    ADDRESS_RATE_PER_S: '0',
    GRANT_FEED_SILENCE_MS: '60000',
    REQUEST_DEADLINE_MS: '30000',
  },
  submitter: { SUBMISSION_VALIDITY_MS: '600000' },
  'ops-console': { GATEWAY_TIMEOUT_MS: '30000' },
}

export type TestStack = Stack & { folder: string; close(): Promise<void> }

export async function startTestStack(options: Partial<StackOptions> = {}): Promise<TestStack> {
  const folder = await mkdtemp(join(tmpdir(), 'financial-agents-journey-'))
  const environment = { ...testEnvironment }
  for (const [name, extra] of Object.entries(options.environment ?? {}))
    environment[name as keyof typeof environment] = { ...environment[name as keyof typeof environment], ...extra }
  const postgresSettings = { ...hastySettings, ...options.postgresSettings }
  // A test that brings its own bundles also tests their migrations.
  const prepared = options.bundles ? {} : findPrepared()
  const given = { ...prepared, ...options, postgresSettings, folder, environment }
  const stack = await startStack({ log: () => {}, ...given })
  return {
    ...stack,
    folder,
    close: async () => {
      // Kills all services at once. `stop` would wait for one service after another to finish its work.
      await stack.killAll()
      await stack.stop()
      if (!process.env.KEEP_STACK_FOLDERS) await removeStackFolder(folder)
    },
  }
}

/** Starts a second environment, with only the services that issue tokens and nonces. */
export function startOtherEnvironment(): Promise<TestStack> {
  return startTestStack({ services: ['authz', 'onboarding', 'gateway'] })
}

export async function clientOf(stack: Stack, clientId: string, scopes = scope): Promise<ApiClient> {
  const seeded = stack.clients.find((candidate) => candidate.client_id === clientId)
  if (seeded?.profile !== 'service') throw new Error(`the stack has no service account ${clientId}`)
  const client = await createServiceClient({
    baseUrl: stack.baseUrl,
    clientId,
    privateKeyFile: seeded.private_key_file,
  })
  await client.authorize(scopes)
  return client
}

/** A valid body of POST /v1/beneficiaries. Fault scripts match on its name. */
export function beneficiaryBody(name = 'Rent') {
  return {
    name,
    country: 'PT',
    currency: 'EUR',
    payout_schema_id: 'sepa_pt_eur',
    details: { iban: 'PT50000201231234567890154' },
  }
}

export function create(client: ApiClient, name?: string, key: string = randomUUID()): Promise<ApiResponse> {
  return client.request('POST', '/v1/beneficiaries', { key, body: beneficiaryBody(name) })
}

type Named = { path: string; body?: unknown }

export function askToConfirm(client: ApiClient, action: string, request: Named): Promise<ApiResponse> {
  return client.request('POST', '/v1/confirmation-intents', { body: { action, request } })
}

/** Creates an intent for this request and has the owner confirm it; returns its id. */
export async function confirmed(
  client: ApiClient,
  owner: Pick<Owner, 'confirm'>,
  action: string,
  request: Named,
): Promise<string> {
  const intent = await askToConfirm(client, action, request)
  if (intent.status !== 201) throw new Error(`an intent was refused: ${JSON.stringify(intent.body)}`)
  await owner.confirm(intent.body['confirmation_url'])
  return intent.body['id'] as string
}

/** Sends a keyed write that its owner has confirmed. If the intent is refused, returns that refusal. */
export async function confirmedWrite(
  client: ApiClient,
  owner: Pick<Owner, 'confirm'>,
  action: string,
  request: { path: string; body?: unknown; key?: string },
): Promise<ApiResponse> {
  const { path, body, key = randomUUID() } = request
  const intent = await askToConfirm(client, action, body === undefined ? { path } : { path, body })
  if (intent.status !== 201) return intent
  await owner.confirm(intent.body['confirmation_url'])
  const headers = { 'Confirmation-Intent-ID': intent.body['id'] as string }
  return client.request('POST', path, { key, headers, ...(body === undefined ? {} : { body }) })
}

/** A valid body of POST /v1/mandates for this beneficiary, a month long. */
export function mandateBody(beneficiary_id: string, changes: Record<string, unknown> = {}) {
  return {
    beneficiary_id,
    per_payment_max: '100',
    daily_max: '200',
    weekly_max: '300',
    monthly_max: '400',
    total_cap: '500',
    payment_count: 100,
    expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    ...changes,
  }
}

/** Creates an active mandate: confirmed by its owner, and approved at the provider if asked for. */
export async function activeMandate(client: ApiClient, owner: Owner, body: Record<string, unknown>): Promise<string> {
  const created = await confirmedWrite(client, owner, 'mandate_create', { path: '/v1/mandates', body })
  if (created.status !== 202) throw new Error(`a mandate was refused: ${JSON.stringify(created.body)}`)
  await approve(client, owner, created.body['id'])
  await pollUntil(client, created.body['id'], ['succeeded'])
  await settledResource(client, `/v1/mandates/${created.body['resource_id']}`, 'active')
  return created.body['resource_id'] as string
}

/** Approves at the provider's page if the operation waits for it. */
export async function approve(client: ApiClient, owner: Owner, id: string): Promise<void> {
  const ready = await pollUntil(
    client,
    id,
    [],
    120_000,
    // A refused read has no state: it says nothing about the approval.
    (body) => body['state'] !== undefined && (body['state'] !== 'requires_action' || body['action_required']),
  )
  if (ready.body['state'] !== 'requires_action') return
  await owner.decideAtProvider(ready.body['action_required'].url, 'approve')
  await client.request('POST', `/v1/operations/${id}/approval/poll`)
}

export async function activeCard(client: ApiClient): Promise<string> {
  const body = { type: 'virtual', currency: 'EUR' }
  const created = await client.request('POST', '/v1/cards', { key: randomUUID(), body })
  if (created.status !== 202) throw new Error(`a card was refused: ${JSON.stringify(created.body)}`)
  await pollUntil(client, created.body['id'], ['succeeded'])
  await settledResource(client, `/v1/cards/${created.body['resource_id']}`, 'active')
  return created.body['resource_id'] as string
}

/** Reads a resource until it has this state. The resource follows its operation. */
export async function settledResource(
  client: ApiClient,
  path: string,
  state: string,
  limitMs = 120_000,
): Promise<ApiResponse> {
  const until = Date.now() + limitMs
  for (let read = 1; ; read += 1) {
    const response = await client.request('GET', path)
    if (response.body['state'] === state) return response
    if (Date.now() > until) throw new Error(`${path} is not ${state}: ${JSON.stringify(response.body)}`)
    await pauseAfter(read)
  }
}

/**
 * Reads the operation until its state is one of `states`.
 * @throws Error with the operation, at once if it has ended in another state
 */
export async function pollUntil(
  client: Pick<ApiClient, 'request'>,
  id: string,
  states: string[],
  limitMs = 120_000,
  wanted: (body: ApiResponse['body']) => unknown = () => false,
): Promise<ApiResponse> {
  const until = Date.now() + limitMs
  for (let read = 1; ; read += 1) {
    const response = await client.request('GET', `/v1/operations/${id}`)
    if (states.includes(response.body.state) || wanted(response.body)) return response
    if (Date.now() > until || isTerminal(response.body.state))
      throw new Error(`operation ${id} is not ${states.join(' or ')}: ${JSON.stringify(response.body)}`)
    await pauseAfter(read)
  }
}

/** Most states follow at once. Where one takes seconds, many reads would only slow down what they wait for. */
const pauseAfter = (read: number) => delay(Math.min(25 * read, 250))

export type LedgerEntry = {
  sequence: number
  received_at: string
  kind: string
  client_reference: string
  outcome: string
}

/** The provider's control routes for tests. */
export function providerOf(stack: Stack) {
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${stack.providerUrl}/control${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    if (!response.ok) throw new Error(`control ${method} ${path} answered ${response.status}: ${await response.text()}`)
    const text = await response.text()
    return text === '' ? undefined : JSON.parse(text)
  }
  return {
    fault: (script: string, name: string, options: Record<string, unknown> = {}) =>
      ask('POST', '/faults', { script, match: { name }, options }),
    /** Sets a fault for operations without a name, for the next `times` of them. */
    faultOf: (match: Record<string, string>, script: string, given: { times?: number; options?: object } = {}) =>
      ask('POST', '/faults', { script, match, ...given }),
    /** Turns the provider's promise about deadlines on or off. */
    promiseDeadlines: (refuses: boolean) => ask('PUT', '/deadlines', { refuses }),
    /** Continues a mutation that the script `hold` has stopped. */
    release: (reference: string) => ask('POST', '/release', { client_reference: reference }),
    clearFaults: () => ask('DELETE', '/faults'),
    settle: (reference: string, as?: 'succeeded' | 'failed') =>
      ask('POST', '/settle', { client_reference: reference, ...(as ? { as } : {}) }),
    /** Changes what the provider knows about a test user. */
    identity: (testUser: string, status: string) => ask('PUT', '/identity', { test_user: testUser, status }),
    ledger: async (reference?: string): Promise<LedgerEntry[]> =>
      (await ask('GET', `/ledger${reference ? `?client_reference=${reference}` : ''}`)).entries,
    summary: (): Promise<{ mutations: number; references: number; repeated: unknown[] }> =>
      ask('GET', '/ledger/summary'),
  }
}
