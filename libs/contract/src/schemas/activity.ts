/** Movements of money: sanitised, with our identifiers only. */

import { z } from 'zod'
import { cursor, dateTime, id, limit, moment, money } from './primitives.ts'

/** The kind of account on which money moved. */
export const activitySource = z.enum(['account', 'card', 'spending'], { error: 'Send account, card or spending.' })

const period = {
  from: moment.optional().describe('The first moment that counts.'),
  to: moment.optional().describe('The first moment that counts no more.'),
}

/** The query of `GET /v1/activity`. `from` is inclusive, `to` is exclusive. */
export const activityQuery = z.strictObject({
  ...period,
  source: activitySource.optional().describe('Only what moved there.'),
  cursor,
  limit,
})

/** The query of a card's activity. */
export const cardActivityQuery = z.strictObject({ ...period, cursor, limit })

/** One movement. */
export const activityItem = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .describe('The same for the same client each time; of no use to another.'),
  source: activitySource.describe('Where it moved.'),
  direction: z.enum(['in', 'out']).describe('To the owner, or away.'),
  amount: money.describe('How much; never below zero.'),
  status: z.enum(['pending', 'posted', 'reversed']).describe('Whether it is final.'),
  description: z.string().max(140).describe('What for, sanitised.'),
  counterparty_name: z.string().nullable().describe('With whom, where the provider says so.'),
  occurred_at: dateTime.describe('When it moved.'),
})

/** One movement. */
export type ActivityItem = z.output<typeof activityItem>

/** One movement on a card. */
export const cardActivityItem = z.strictObject({
  ...activityItem.shape,
  card_id: id.describe('The card.'),
  merchant_category: z.string().nullable().describe('ISO 18245, four digits.'),
})

/** One movement on a card. */
export type CardActivityItem = z.output<typeof cardActivityItem>
