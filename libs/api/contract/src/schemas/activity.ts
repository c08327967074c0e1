/** Movements of money: sanitised, with our identifiers only. */

import { z } from 'zod'
import { documented } from './documented.ts'
import { cursor, dateTime, id, limit, money, timestamp } from './primitives.ts'
import { eur, ids } from './story.ts'

/** The kind of account on which money moved. */
export const activitySource = z
  .enum(['account', 'card', 'spending'], { error: 'Send account, card or spending.' })
  .register(documented, { id: 'ActivitySource' })

export const activityDirection = z.enum(['in', 'out']).register(documented, { id: 'ActivityDirection' })

export const activityStatus = z.enum(['pending', 'posted', 'reversed']).register(documented, { id: 'ActivityStatus' })

const period = {
  from: timestamp.optional().describe('The start of the period, inclusive.'),
  to: timestamp.optional().describe('The end of the period, exclusive.'),
}

/** The query of `GET /v1/activity`. `from` is inclusive, `to` is exclusive. */
export const activityQuery = z.strictObject({
  ...period,
  source: activitySource.optional().describe('Only movements of this source.'),
  cursor,
  limit,
})

export const cardActivityQuery = z.strictObject({ ...period, cursor, limit })

export const activityItem = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{43}$/)
      .describe('The identifier of the movement: the same for this client each time, and different for other clients.'),
    source: activitySource.describe('The source of the movement.'),
    direction: activityDirection.describe('`in` to the owner, `out` from the owner.'),
    amount: money.describe('The amount, never negative.'),
    status: activityStatus.describe('The status of the movement; `pending` is not final.'),
    description: z.string().max(140).describe('The purpose, sanitised.'),
    counterparty_name: z.string().nullable().describe('The other party, if the provider states it.'),
    occurred_at: dateTime.describe('The time of the movement.'),
  })
  .register(documented, {
    id: 'ActivityItem',
    examples: [
      {
        id: 'kq3Wb0mXo1Vt5yZc8dRf2GhJ7lNpQsTuEaIbOxYzM4w',
        source: 'account',
        direction: 'out',
        amount: eur('850.00'),
        status: 'posted',
        description: 'Rent November',
        counterparty_name: 'Casa Azul Lda',
        occurred_at: '2026-11-01T08:00:00.000Z',
      },
    ],
  })

export type ActivityItem = z.output<typeof activityItem>

/** One movement on a card. */
export const cardActivityItem = z
  .strictObject({
    ...activityItem.shape,
    card_id: id.describe('The card.'),
    merchant_category: z.string().nullable().describe('The merchant category: ISO 18245, four digits.'),
  })
  .register(documented, {
    id: 'CardActivityItem',
    examples: [
      {
        id: 'kq3Wb0mXo1Vt5yZc8dRf2GhJ7lNpQsTuEaIbOxYzM4w',
        source: 'card',
        direction: 'out',
        amount: eur('12.40'),
        status: 'posted',
        description: 'Pastelaria Central',
        counterparty_name: 'Pastelaria Central',
        occurred_at: '2026-11-01T08:00:00.000Z',
        card_id: ids.card,
        merchant_category: '5814',
      },
    ],
  })

export type CardActivityItem = z.output<typeof cardActivityItem>
