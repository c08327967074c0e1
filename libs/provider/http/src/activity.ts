/**
 * Movements in the words of the Provider API. The reader checks pages against the query for every adapter (`activity-pages.ts` of
 * provider-reads). Only this file can check the card of a movement.
 */

import { providerPath } from '@financial-agents/provider-api/paths'
import { movements } from '@financial-agents/provider-api/shapes/movements'
import type { ActivityPage, ActivityQuery, ProviderActivityItem } from '@financial-agents/provider-port/activity-reads'
import type { ReadResult } from '@financial-agents/provider-port/port'
import type { z } from 'zod'
import { withQuery } from './calls.ts'
import type { ExchangeResult } from './exchange.ts'
import { broken, listOf, mapped } from './read-answers.ts'
import { moneyOf, timestampOf } from './records.ts'

type Movement = z.infer<typeof movements>['movements'][number]

const origins = { account: 'account', card: 'card', spending: 'purse' } as const
const sources = { account: 'account', card: 'card', purse: 'spending' } as const
const statuses = { pending: 'pending', booked: 'posted', returned: 'reversed' } as const

export function activityPath({ from, to, source, card, cursor, limit }: ActivityQuery): string {
  return withQuery(providerPath('readMovements'), {
    since: from,
    before: to,
    origin: source === undefined ? undefined : origins[source],
    card_ref: card?.upstreamReference,
    page: cursor ?? undefined,
    size: String(limit),
  })
}

export function activityOf(result: ExchangeResult, query: ActivityQuery): ReadResult<ActivityPage> {
  const answer = listOf(result, movements)
  if (answer.type !== 'ok') return answer
  const { movements: page, next_page } = answer.data
  const asked = query.card?.upstreamReference
  const wrong = page.findIndex(({ card_ref }) => card_ref !== (asked ?? card_ref))
  if (wrong >= 0) return broken(`movements.${wrong} is of another card`)
  return mapped(answer, () => ({ items: page.map((movement) => itemOf(movement)), nextCursor: next_page }))
}

function itemOf(movement: Movement): ProviderActivityItem {
  return {
    reference: movement.movement_ref,
    source: sources[movement.origin],
    direction: movement.flow === 'credit' ? 'in' : 'out',
    amount: moneyOf(movement.amount),
    status: statuses[movement.stage],
    description: movement.text,
    counterparty_name: movement.other_party,
    merchant_category: movement.mcc,
    occurred_at: timestampOf(movement.happened_at),
  }
}
