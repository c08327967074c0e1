/** Clients of a stack, built on the published package's sources. */

import { readFile } from 'node:fs/promises'
import {
  type Agent,
  FinancialAgents,
  type FinancialAgentsOptions,
  type KnownScope,
  memoryStore,
  type RepeatEntry,
  type RequestEntry,
  type ResponseEntry,
} from '@financial-agents/client'
import { service } from '@financial-agents/client/auth/service'
import type { TestStack } from '../../stack.test-helper.ts'

export const scopes: readonly KnownScope[] = [
  'beneficiaries:read',
  'beneficiaries:write',
  'operations:read',
  'spending:withdraw',
]

export async function keyOf(stack: TestStack, clientId: string): Promise<Record<string, string>> {
  const seeded = stack.clients.find((client) => client.client_id === clientId)
  if (!seeded?.private_key_file) throw new Error(`the stack has no key of ${clientId}`)
  return JSON.parse(await readFile(seeded.private_key_file, 'utf8'))
}

/** An answer, or a repetition that is to come. */
type Logged = (RequestEntry & { status: number }) | RepeatEntry

export type LoggingAgent = Agent & { log: Logged[] }

/** A service account's agent, with a log of what it sent. */
export async function serviceAgent(
  stack: TestStack,
  {
    clientId = 'ines-agent',
    scopes: wanted = scopes,
    ...more
  }: Partial<FinancialAgentsOptions> & { scopes?: readonly KnownScope[] } = {},
): Promise<LoggingAgent> {
  const log: Logged[] = []
  const auth = service({ key: await keyOf(stack, clientId), scopes: wanted })
  const store = memoryStore()
  const options = {
    baseUrl: stack.baseUrl,
    clientId,
    auth,
    store,
    onResponse: (entry: ResponseEntry) => log.push(entry),
    onRepeat: (entry: RepeatEntry) => log.push(entry),
    ...more,
  }
  return Object.assign(FinancialAgents(options), { log })
}

/** The requests that an agent sent, in order: `POST /v1/cards 202`, or why it repeats. */
export function sent({ log }: LoggingAgent): string[] {
  return log.map((entry) =>
    'status' in entry ? `${entry.method} ${entry.path} ${entry.status}` : `repeating: ${entry.reason}`,
  )
}

export const iban = { iban: 'PT50000201231234567890154' }

/** A payee as agents ask for it. Fault scripts match on its name. */
export const payeeOf = (name: string) => ({
  intent: `payee-${name}`,
  name,
  country: 'PT',
  currency: 'EUR',
  details: iban,
})

export const beneficiaryOf = (name: string) => ({
  name,
  country: 'PT',
  currency: 'EUR',
  payout_schema_id: 'sepa_pt_eur',
  details: iban,
})
