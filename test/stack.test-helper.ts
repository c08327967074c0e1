/** A stack for a test file, and the words in which the journeys talk about it. */

import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type ApiClient, type ApiResponse, createServiceClient } from '@financial-agents/testkit/client'
import { removeStackFolder, type Stack, type StackOptions, startStack } from '@financial-agents/testkit/stack'

export const scope = 'beneficiaries:read beneficiaries:write operations:read'

/** No request limits, and sweeps short enough for a test to wait for. */
const testEnvironment: NonNullable<StackOptions['environment']> = {
  gateway: { GRANT_RATE_PER_S: '0', ADDRESS_RATE_PER_S: '0' },
}

export type TestStack = Stack & { folder: string; close(): Promise<void> }

export async function startTestStack(options: Partial<StackOptions> = {}): Promise<TestStack> {
  const folder = await mkdtemp(join(tmpdir(), 'financial-agents-journey-'))
  const environment = { ...testEnvironment }
  for (const [name, extra] of Object.entries(options.environment ?? {}))
    environment[name as keyof typeof environment] = { ...environment[name as keyof typeof environment], ...extra }
  const stack = await startStack({ log: () => {}, ...options, folder, environment })
  return {
    ...stack,
    folder,
    close: async () => {
      await stack.stop()
      if (!process.env.KEEP_STACK_FOLDERS) await removeStackFolder(folder)
    },
  }
}

/** An authorised client of the stack. */
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

/** A valid body of POST /v1/beneficiaries; the name is what fault scripts match on. */
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

/** Reads the operation until its state is one of `states`. */
export async function pollUntil(
  client: ApiClient,
  id: string,
  states: string[],
  limitMs = 20_000,
): Promise<ApiResponse> {
  const until = Date.now() + limitMs
  for (;;) {
    const response = await client.request('GET', `/v1/operations/${id}`)
    if (states.includes(response.body.state)) return response
    if (Date.now() > until)
      throw new Error(`operation ${id} is ${response.body.state ?? response.status}, not ${states.join(' or ')}`)
    await delay(50)
  }
}

export type LedgerEntry = { sequence: number; kind: string; client_reference: string; outcome: string }

/** What the provider is told by a test, and what it tells. */
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
    clearFaults: () => ask('DELETE', '/faults'),
    settle: (reference: string, as?: string) =>
      ask('POST', '/settle', { client_reference: reference, ...(as ? { as } : {}) }),
    ledger: async (reference?: string): Promise<LedgerEntry[]> =>
      (await ask('GET', `/ledger${reference ? `?client_reference=${reference}` : ''}`)).entries,
    summary: (): Promise<{ mutations: number; references: number; repeated: unknown[] }> =>
      ask('GET', '/ledger/summary'),
  }
}
