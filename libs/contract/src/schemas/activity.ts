/** What moved: sanitised, with identifiers of ours alone. */

import { z } from 'zod'
import { currency, cursor, dateTime, decimal, id, limit, moment } from './primitives.ts'

/** Where something moved. */
export const activitySource = z.enum(['account', 'card', 'spending'], { error: 'Send account, card or spending.' })

const period = { from: moment.optional(), to: moment.optional() }

/** The query of `GET /v1/activity`: `from` is the first moment, `to` the first that is out again. */
export const activityQuery = z.strictObject({ ...period, source: activitySource.optional(), cursor, limit })

/** The query of a card's activity. */
export const cardActivityQuery = z.strictObject({ ...period, cursor, limit })

/** One movement. */
export const activityItem = z.strictObject({
  /** A keyed hash of the provider's own, pairwise: the same for the same client each time, of no use to another. */
  id: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  source: activitySource,
  direction: z.enum(['in', 'out']),
  amount: z.strictObject({ amount: decimal, currency }),
  status: z.enum(['pending', 'posted', 'reversed']),
  description: z.string().max(140),
  counterparty_name: z.string().nullable(),
  occurred_at: dateTime,
})

/** One movement. */
export type ActivityItem = z.output<typeof activityItem>

/** One movement on a card. */
export const cardActivityItem = z.strictObject({
  ...activityItem.shape,
  card_id: id,
  /** ISO 18245, four digits. */
  merchant_category: z.string().nullable(),
})

/** One movement on a card. */
export type CardActivityItem = z.output<typeof cardActivityItem>
