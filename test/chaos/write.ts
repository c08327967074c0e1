/** Requests of clients, each with a key of its own. */

import { randomUUID } from 'node:crypto'
import type { OperationKind } from '@financial-agents/contract/kinds'
import type { Party, Payer } from './parties.ts'

/** One request. Every repetition is identical. */
export type Write = {
  kind: OperationKind
  party: Party
  method: 'POST' | 'DELETE'
  path: string
  /** The idempotency key; absent where a confirmation takes its place. */
  key?: string
  headers?: Record<string, string>
  body?: Record<string, unknown>
  /** The connection that the request ends; needed because the answer names no operation. */
  connection?: string
  /** Codes of refusals that count as a conclusive answer. */
  refusals?: readonly string[]
}

export function keyed(kind: OperationKind, party: Party, path: string, body?: Record<string, unknown>): Write {
  return { kind, party, method: 'POST', path, key: randomUUID(), ...(body === undefined ? {} : { body }) }
}

export function beneficiaryOf({ currency, payout }: Payer): Record<string, unknown> {
  return { name: 'Rui Prado', currency, ...payout }
}

export function transferUnder(mandate: string, payer: Payer): Write {
  return keyed('mandate_transfer', payer, `/v1/mandates/${mandate}/transfers`, {
    amount: '1',
    currency: payer.currency,
  })
}

/** Limits that no load reaches. */
const wide = {
  per_payment_max: '10',
  daily_max: '20000',
  weekly_max: '20000',
  monthly_max: '20000',
  total_cap: '20000',
  payment_count: 10_000,
}

/** The body of a new mandate, without its beneficiary. */
export function termsOfMandate(caps: Record<string, unknown> = wide): Record<string, unknown> {
  return { ...caps, expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString() }
}

export function cardOf(payer: Payer): Write {
  return keyed('card_create', payer, '/v1/cards', { type: 'virtual', currency: payer.currency })
}

export function freezeOf(card: string, payer: Payer): Write {
  return keyed('card_freeze', payer, `/v1/cards/${card}/freeze`)
}
