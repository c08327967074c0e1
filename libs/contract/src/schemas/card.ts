/** Cards: their lifecycle and their non-sensitive data. Card numbers appear only on the provider's page. */

import { z } from 'zod'
import { handOff } from './operation.ts'
import { currency, dateTime, id, words } from './primitives.ts'

/** The body of `POST /v1/cards`. */
export const createCardBody = z.strictObject({
  label: words(0, 80).optional().describe('How the owner calls it.'),
  type: z.enum(['virtual', 'physical'], { error: 'Send virtual or physical.' }).describe('What kind of card.'),
  currency: currency.describe('What it pays in (ISO 4217).'),
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
  label: z.string().nullable().describe('How the owner calls it.'),
  type: z.enum(['virtual', 'physical']).describe('What kind of card.'),
  currency: currency.describe('What it pays in (ISO 4217).'),
  brand: z.string().nullable().describe('Null until the provider has made the card.'),
  last_four: z
    .string()
    .regex(/^\d{4}$/)
    .nullable()
    .describe('Null until the provider has made the card.'),
  state: z
    .enum(cardStates)
    .describe(
      'What it is; while operations are changing it, what the newest of them is doing. Never frozen before all have settled.',
    ),
  pending_operation_id: id
    .nullable()
    .describe('The operation that is changing it now; of several that are not settled the newest.'),
  created_at: dateTime.describe('When it was asked for.'),
  updated_at: dateTime.describe('When it changed last.'),
})

/** A card as clients see it. */
export type Card = z.output<typeof card>

/** A short visit to the provider's page that shows the number. */
export const cardReveal = z.strictObject({
  id: id.describe('This visit.'),
  card_id: id.describe('The card.'),
  expires_at: dateTime.describe('When the address stops working.'),
  action_required: handOff
    .extend({
      kind: z.literal('card_reveal').describe('What the visit is for.'),
      poll_after_ms: z.null().describe('Nothing is polled.'),
    })
    .describe('The page that the owner opens.'),
})
