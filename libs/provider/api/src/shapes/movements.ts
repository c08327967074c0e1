/** Movements of money. */

import { z } from 'zod'
import { money, providerReference, timestamp } from './primitives.ts'

const origin = z.enum(['account', 'card', 'purse']).describe('The place where the money moved.')

export const movementsQuery = z.object({
  since: timestamp.optional().describe('The start of the period, inclusive.'),
  before: timestamp.optional().describe('The end of the period, exclusive.'),
  origin: origin.optional().describe('Movements of this origin alone.'),
  card_ref: providerReference.optional().describe('Movements of this card alone.'),
  page: z.string().min(1).max(1_000).optional().describe('`next_page` of the page before.'),
  size: z.coerce.number().int().min(1).max(100).default(50).describe('The maximum number of movements on the page.'),
})

export const movements = z
  .object({
    movements: z
      .array(
        z.object({
          movement_ref: providerReference,
          origin,
          flow: z.enum(['credit', 'debit']).describe('`credit`: the person got the money.'),
          amount: money,
          stage: z.enum(['pending', 'booked', 'returned']).describe('The stage of the movement.'),
          text: z.string().max(4_000).describe('The text of the movement.'),
          other_party: z.string().max(4_000).nullable().describe('The person or business at the other end.'),
          mcc: z
            .string()
            .regex(/^\d{4}$/)
            .nullable()
            .describe('ISO 18245.'),
          card_ref: providerReference.nullable().describe('The card; null unless `origin` is `card`.'),
          happened_at: timestamp.describe('The time of the movement. Movements are sorted by it, newest first.'),
        }),
      )
      .max(100)
      .describe('A page of movements, newest first.'),
    next_page: z
      .string()
      .min(1)
      .max(1_000)
      .nullable()
      .describe(
        'The token of the next page; null on the last one. It is valid only for the same person and query: answer 400 `unknown_page` to any other use.',
      ),
  })
  .describe('A page of movements. Pages of any size are complete and repeat nothing.')
