/** Cards: their lifecycle and their non-sensitive data. Card numbers appear only on the provider's page. */

import { z } from 'zod'
import { documented } from './documented.ts'
import { cardRevealAction } from './operation.ts'
import { currency, dateTime, id, withoutControls, words } from './primitives.ts'
import { ids, written } from './story.ts'

const cardType = z
  .enum(['virtual', 'physical'], { error: 'Send virtual or physical.' })
  .register(documented, { id: 'CardType' })

/** The body of `POST /v1/cards`. */
export const createCardBody = z
  .strictObject({
    label: withoutControls(words(0, 80)).optional().describe("The owner's label for the card."),
    type: cardType.describe('The kind of card.'),
    currency: currency.describe('The currency of the card (ISO 4217).'),
  })
  .register(documented, { examples: [{ type: 'virtual', currency: 'EUR', label: 'Groceries' }] })

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

const cardState = z.enum(cardStates).register(documented, { id: 'CardState' })

/** A card as clients see it. */
export const card = z
  .strictObject({
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
  .register(documented, {
    id: 'Card',
    examples: [
      {
        id: ids.card,
        label: 'Groceries',
        type: 'virtual',
        currency: 'EUR',
        brand: 'visa',
        last_four: '4242',
        state: 'active',
        pending_operation_id: null,
        ...written,
      },
    ],
  })

export type Card = z.output<typeof card>

/** A short visit to the provider's page that shows the number. */
export const cardReveal = z
  .strictObject({
    id: id.describe('The visit.'),
    card_id: id.describe('The card.'),
    expires_at: dateTime.describe('The time at which the address stops working.'),
    action_required: cardRevealAction.describe('The page that the owner must open.'),
  })
  .register(documented, {
    id: 'CardReveal',
    examples: [
      {
        id: ids.reveal,
        card_id: ids.card,
        expires_at: '2026-11-20T09:20:00.000Z',
        action_required: {
          kind: 'card_reveal',
          url: 'https://provider.example/reveal/5b1d',
          expires_at: '2026-11-20T09:20:00.000Z',
          poll_after_ms: null,
        },
      },
    ],
  })

export type CardReveal = z.output<typeof cardReveal>
