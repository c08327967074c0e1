/**
 * Movements: the posted transactions of the account. Pending ones have references of their own and would count twice once they are posted, so
 * they are left out.
 *
 * Invariant: a cursor is bound to the account and the query that it came from.
 */

import { hash } from 'node:crypto'
import {
  type ActivityPage,
  type ActivityQuery,
  maxProviderCursorBytes,
  type ProviderActivityItem,
} from '@financial-agents/provider-port/activity-reads'
import type { ReadResult } from '@financial-agents/provider-port/port'
import { z } from 'zod'
import type { Asking } from './client.ts'
import { dollars, timestampOf } from './money.ts'
import { readOf } from './outcomes.ts'
import type { Person } from './person.ts'

const Transaction = z.object({
  type: z.literal('transaction'),
  id: z.string().min(1),
  account_id: z.string(),
  amount: z.int(),
  currency: z.literal('USD'),
  created_at: z.iso.datetime({ offset: true }),
  description: z.string(),
  route_id: z.string().nullable(),
  route_type: z.string().nullable(),
  source: z.object({
    card_settlement: z.object({ merchant_category_code: z.string() }).nullish(),
  }),
})

const Transactions = z.object({ data: z.array(Transaction), next_cursor: z.string().min(1).nullable() })

type Transaction = z.infer<typeof Transaction>

const nothing: ActivityPage = { items: [], next_cursor: null }

export async function readActivity(
  asking: Asking,
  query: ActivityQuery,
  { account_id }: Person,
): Promise<ReadResult<ActivityPage>> {
  const { from, to, source, card_reference: card, limit, timeoutMs, traceHeaders } = query
  if (source === 'spending') return { type: 'ok', data: nothing }
  const digest = digestOf(query, account_id)
  const cursor = query.cursor?.startsWith(digest) ? query.cursor.slice(digest.length) : undefined
  if (query.cursor !== undefined && cursor === undefined) return broken('a cursor of another query')
  const asked = {
    account_id,
    limit: Math.min(Math.max(limit, 1), 100),
    ...(cursor !== undefined && { cursor }),
    ...(card && { route_id: card }),
    ...((from ?? to) && { created_at: { ...(from && { on_or_after: from }), ...(to && { before: to }) } }),
  }
  const result = await asking.ask((client) => client.transactions.list(asked), { timeoutMs, traceHeaders })
  const page = readOf(result, Transactions)
  if (page.type !== 'ok') return page
  const { data, next_cursor: next } = page.data
  const foreign = data.findIndex((one) => one.account_id !== account_id)
  if (foreign >= 0) return broken(`data.${foreign} is of another account`)
  const wrong = card === undefined ? -1 : data.findIndex((one) => one.route_id !== card)
  if (wrong >= 0) return broken(`data.${wrong} is of another card`)
  const next_cursor = next === null ? null : digest + next
  if (next_cursor !== null && Buffer.byteLength(next_cursor) > maxProviderCursorBytes)
    return broken('next_cursor is too long')
  const items = data.map(itemOf).filter((item) => source === undefined || item.source === source)
  return { type: 'ok', data: { items, next_cursor } }
}

function itemOf({
  id,
  amount,
  created_at,
  description,
  route_id,
  route_type,
  source,
}: Transaction): ProviderActivityItem {
  return {
    reference: id,
    source: route_type === 'card' ? 'card' : 'account',
    direction: amount < 0 ? 'out' : 'in',
    amount: dollars(Math.abs(amount)),
    status: 'posted',
    description,
    counterparty_name: null,
    merchant_category: source.card_settlement?.merchant_category_code ?? null,
    card_reference: route_type === 'card' ? route_id : null,
    occurred_at: timestampOf(created_at),
  }
}

function digestOf({ from, to, source, card_reference }: ActivityQuery, account_id: string): string {
  const text = JSON.stringify([account_id, from, to, source, card_reference])
  return hash('sha256', text, 'base64url').slice(0, 22)
}

function broken(reason: string) {
  return { type: 'contract_broken', reason } as const
}
