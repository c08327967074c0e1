/** Clients of a stack, built on the published package's sources. */

import { readFile } from 'node:fs/promises'
import {
  type Agent,
  FinancialAgents,
  type FinancialAgentsOptions,
  type LogEntry,
  memoryStore,
} from '@financial-agents/client'
import { service } from '@financial-agents/client/auth/service'
import type { TestStack } from '../../stack.test-helper.ts'

export const scopes = ['beneficiaries:read', 'beneficiaries:write', 'operations:read', 'spending:withdraw']

export async function keyOf(stack: TestStack, clientId: string): Promise<Record<string, string>> {
  const seeded = stack.clients.find((client) => client.client_id === clientId)
  if (!seeded?.private_key_file) throw new Error(`the stack has no key of ${clientId}`)
  return JSON.parse(await readFile(seeded.private_key_file, 'utf8'))
}

export type Logged = Agent & { log: LogEntry[] }

/** A service account's agent, with a log of what it sent. */
export async function serviceAgent(
  stack: TestStack,
  {
    clientId = 'ines-agent',
    scopes: wanted = scopes,
    ...more
  }: Partial<FinancialAgentsOptions> & { scopes?: string[] } = {},
): Promise<Logged> {
  const log: LogEntry[] = []
  const auth = service({ key: await keyOf(stack, clientId), scopes: wanted })
  const store = memoryStore()
  const options = {
    baseUrl: stack.baseUrl,
    clientId,
    auth,
    store,
    logger: (entry: LogEntry) => log.push(entry),
    ...more,
  }
  return Object.assign(FinancialAgents(options), { log })
}

/** The requests that an agent sent, in order: `POST /v1/cards 202`, or why it repeats. */
export function sent({ log }: Logged): string[] {
  return log.map((entry) =>
    entry.event === 'answered' ? `${entry.method} ${entry.path} ${entry.status}` : `repeating: ${entry.reason}`,
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
