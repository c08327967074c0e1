/**
 * Movements in the words of the Provider API. The reader checks pages against the query for every adapter (`activity-pages.ts` of
 * provider-reads). Only this file can check the card of a movement.
 */

import type { ActivityPage, ActivityQuery, ProviderActivityItem } from '@financial-agents/provider/activity-reads'
import type { ReadResult } from '@financial-agents/provider/port'
import { z } from 'zod'
import { withQuery } from './calls.ts'
import type { ExchangeResult } from './exchange.ts'
import { broken, listOf, mapped } from './read-answers.ts'
import { WireMoment, WireMoney } from './records.ts'

const Movements = z.object({
  movements: z
    .array(
      z.object({
        movement_ref: z.string().min(1).max(200),
        origin: z.enum(['account', 'card', 'purse']),
        flow: z.enum(['credit', 'debit']),
        amount: WireMoney,
        stage: z.enum(['pending', 'booked', 'returned']),
        text: z.string().max(4_000),
        other_party: z.string().max(4_000).nullable(),
        mcc: z
          .string()
          .regex(/^\d{4}$/)
          .nullable(),
        card_ref: z.string().min(1).max(200).nullable(),
        happened_at: WireMoment,
      }),
    )
    .max(100),
  next_page: z.string().min(1).max(1_000).nullable(),
})

type Movement = z.infer<typeof Movements>['movements'][number]

const origins = { account: 'account', card: 'card', spending: 'purse' } as const
const sources = { account: 'account', card: 'card', purse: 'spending' } as const
const statuses = { pending: 'pending', booked: 'posted', returned: 'reversed' } as const

export function activityPath({ from, to, source, card, cursor, limit }: ActivityQuery): string {
  return withQuery('/provider/v1/movements', {
    since: from,
    before: to,
    origin: source === undefined ? undefined : origins[source],
    card_ref: card?.upstreamReference,
    page: cursor ?? undefined,
    size: String(limit),
  })
}

export function activityOf(result: ExchangeResult, query: ActivityQuery): ReadResult<ActivityPage> {
  const answer = listOf(result, Movements)
  if (answer.type !== 'ok') return answer
  const { movements, next_page } = answer.data
  const asked = query.card?.upstreamReference
  const wrong = movements.findIndex(({ card_ref }) => card_ref !== (asked ?? card_ref))
  if (wrong >= 0) return broken(`movements.${wrong} is of another card`)
  return mapped(answer, () => ({ items: movements.map((movement) => itemOf(movement)), nextCursor: next_page }))
}

function itemOf(movement: Movement): ProviderActivityItem {
  return {
    reference: movement.movement_ref,
    source: sources[movement.origin],
    direction: movement.flow === 'credit' ? 'in' : 'out',
    amount: movement.amount,
    status: statuses[movement.stage],
    description: movement.text,
    counterparty_name: movement.other_party,
    merchant_category: movement.mcc,
    occurred_at: movement.happened_at,
  }
}
