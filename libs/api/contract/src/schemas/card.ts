/** Cards: their lifecycle and their non-sensitive data. Card numbers appear only on the provider's page. */

import { z } from 'zod'
import { cardRevealAction } from './operation.ts'
import { currency, dateTime, id, withoutControls, words } from './primitives.ts'

/** The kind of a card. */
export const cardType = z.enum(['virtual', 'physical'], { error: 'Send virtual or physical.' })

/** The body of `POST /v1/cards`. */
export const createCardBody = z.strictObject({
  label: withoutControls(words(0, 80)).optional().describe("The owner's label for the card."),
  type: cardType.describe('The kind of card.'),
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

/** The state of a card. */
export const cardState = z.enum(cardStates)

/** A card as clients see it. */
export const card = z.strictObject({
  id: id.describe('The card.'),
  label: z.string().nullable().describe("The owner's label for the card."),
  type: cardType.describe('The kind of card.'),
  currency: currency.describe('The currency of the card (ISO 4217).'),
  brand: z.string().nullable().describe('The brand; null until the provider has made the card.'),
  last_four: z
    .string()
    .regex(/^\d{4}$/)
    .nullable()
    .describe('The last four digits; null until the provider has made the card.'),
  state: cardState.describe(
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
  action_required: cardRevealAction.describe('The page that the owner must open.'),
})

/** A short visit to the provider's page that shows the number. */
export type CardReveal = z.output<typeof cardReveal>
