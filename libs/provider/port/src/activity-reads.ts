/** The port's read of movements. Texts are the provider's own; they are cut and masked before anybody sees them. */

import { activityDirection, activitySource, activityStatus } from '@financial-agents/contract/schemas/activity'
import { z } from 'zod'
import type { CallContext } from './call.ts'
import { type DataOf, money, reference, timestamp } from './primitives.ts'

/** Bound of a provider's cursor. Our own cursors have at most 1,024 characters, and also hold the place within its page. */
export const maxProviderCursorBytes = 300

const source = z.enum(activitySource.options).describe('The source of the movement.')

const cursor = z
  .string()
  .min(1)
  .max(maxProviderCursorBytes)
  .refine((value) => Buffer.byteLength(value) <= maxProviderCursorBytes)

const item = z.object({
  reference,
  source,
  direction: z.enum(activityDirection.options).describe('`in`: the person got the money.'),
  amount: money.describe('The amount, never negative.'),
  status: z.enum(activityStatus.options).describe('The status of the movement.'),
  description: z.string().max(4_000).describe('The text of the movement.'),
  counterparty_name: z.string().max(4_000).nullable().describe('The person or business at the other end.'),
  merchant_category: z
    .string()
    .regex(/^\d{4}$/)
    .nullable()
    .describe('ISO 18245.'),
  card_reference: reference.nullable().describe('The card; null unless `source` is `card`.'),
  occurred_at: timestamp.describe('The time of the movement. Movements are sorted by it, newest first.'),
})

export type ProviderActivityItem = DataOf<typeof item>

export const activityQuery = z.object({
  from: timestamp.optional().describe('The start of the period, inclusive.'),
  to: timestamp.optional().describe('The end of the period, exclusive.'),
  source: source.optional().describe('Only movements of this source.'),
  card_reference: reference.optional().describe('Only movements of this card.'),
  cursor: cursor.optional().describe('`next_cursor` of the page before.'),
  limit: z.coerce.number().int().min(1).max(100).default(50).describe('The maximum number of movements on the page.'),
})

/** Without a cursor: the newest page. A page may hold fewer or more items than `limit`. */
export type ActivityQuery = CallContext & DataOf<typeof activityQuery>

export const activityPage = z
  .object({
    items: z.array(item).max(1_000).describe('A page of movements, newest first.'),
    next_cursor: cursor
      .nullable()
      .describe(
        'The cursor of the next page; null on the last one. It is valid only for the same person and query: answer 400 `unknown_cursor` to any other use.',
      ),
  })
  .describe('A page of movements. Pages of any size are complete and repeat nothing.')

/** The cursor may hold references of the provider, so it is never shown as it is. */
export type ActivityPage = DataOf<typeof activityPage>
