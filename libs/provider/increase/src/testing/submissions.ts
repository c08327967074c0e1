/** For tests: the adapter over the fake or the sandbox, and mutations that suit Increase. */

import { randomUUID } from 'node:crypto'
import { kindFacts, type OperationKind } from '@financial-agents/contract/kinds'
import type { Provider, Submission } from '@financial-agents/provider-port/port'
import { make, submission } from '@financial-agents/provider-port/testing/submissions'
import { createIncreaseAdapter, type IncreaseAdapterOptions } from '../adapter.ts'
import { apiKey } from './fake.ts'

export const credentials = JSON.stringify({ account_id: 'account_first', account_number_id: 'account_number_first' })

export const increaseKinds = [
  'beneficiary_create',
  'card_close',
  'card_create',
  'card_freeze',
  'card_unfreeze',
  'transfer',
] as const satisfies readonly OperationKind[]

/** The kinds of which Increase keeps our reference. */
export const keyedKinds = ['beneficiary_create', 'card_create', 'transfer'] as const

export const payee = {
  name: 'Wendell Ortiz',
  country: 'US',
  currency: 'USD',
  payout_schema_id: 'ach_us_usd',
  details: { routing_number: '101050001', account_number: '987654321', account_type: 'checking' },
}

export const payloads: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  beneficiary_create: payee,
  card_create: { label: 'Groceries', type: 'virtual', currency: 'USD' },
  transfer: { beneficiary_id: randomUUID(), amount: '12.50', currency: 'USD', memo: 'With thanks' },
}

export function openAdapter(baseUrl: string, changes: Partial<IncreaseAdapterOptions> = {}): Provider {
  return createIncreaseAdapter({
    apiKey,
    baseUrl,
    connections: 4,
    connectTimeoutMs: 60_000,
    approveTransfers: false,
    statementDescriptor: 'Payment',
    revealsCards: true,
    ...changes,
  })
}

/** A mutation of the kind on a resource of its own. */
export async function ready(
  provider: Provider,
  kind: OperationKind,
  changes: Partial<Submission> & { readonly person?: string } = {},
): Promise<Submission> {
  const { person = credentials, ...others } = changes
  const named = kindFacts[kind].target
  const creating = named === 'card' ? 'card_create' : 'beneficiary_create'
  const target = named === null ? undefined : await make(provider, await ready(provider, creating, { person }))
  return submission(kind, {
    credentials: person,
    payload: payloads[kind] ?? {},
    timeoutMs: 60_000,
    ...(target && { target }),
    ...others,
  })
}
