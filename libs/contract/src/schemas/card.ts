/** Cards: their lifecycle and their non-sensitive data. Card numbers appear only on the provider's page. */

import { z } from 'zod'
import { handOff } from './operation.ts'
import { currency, dateTime, id, words } from './primitives.ts'

/** The body of `POST /v1/cards`. */
export const createCardBody = z.strictObject({
  label: words(0, 80).optional().describe("The owner's label for the card."),
  type: z.enum(['virtual', 'physical'], { error: 'Send virtual or physical.' }).describe('The kind of card.'),
  currency: currency.describe('The currency of the card (ISO 4217).'),
})

/** Every state of a card. */
export const cardStates = [
  'pending',
  'active',
  'freezing',
  'frozen',
  'unfreezing',
  'closing',
  'closed',
  'failed',
] as const

/** A card as clients see it. */
export const card = z.strictObject({
  id: id.describe('The card.'),
  label: z.string().nullable().describe("The owner's label for the card."),
  type: z.enum(['virtual', 'physical']).describe('The kind of card.'),
  currency: currency.describe('The currency of the card (ISO 4217).'),
  brand: z.string().nullable().describe('The brand; null until the provider has made the card.'),
  last_four: z
    .string()
    .regex(/^\d{4}$/)
    .nullable()
    .describe('The last four digits; null until the provider has made the card.'),
  state: z
    .enum(cardStates)
    .describe(
      'The state of the card. While operations are changing the card, it shows the effect of the newest one. The card is not `frozen` before all operations have settled.',
    ),
  pending_operation_id: id
    .nullable()
    .describe('The operation that is changing the card; the newest one if several are not settled.'),
  created_at: dateTime.describe('The time of the request.'),
  updated_at: dateTime.describe('The time of the last change.'),
})

/** A card as clients see it. */
export type Card = z.output<typeof card>

/** A short visit to the provider's page that shows the number. */
export const cardReveal = z.strictObject({
  id: id.describe('The visit.'),
  card_id: id.describe('The card.'),
  expires_at: dateTime.describe('The time at which the address stops working.'),
  action_required: handOff
    .extend({
      kind: z.literal('card_reveal').describe('The purpose of the visit.'),
      poll_after_ms: z.null().describe('null, because nothing is polled.'),
    })
    .describe('The page that the owner must open.'),
})
