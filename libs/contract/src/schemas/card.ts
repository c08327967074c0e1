/** Cards: their lifecycle and what may be shown of them. Numbers appear at the provider's page alone. */

import { z } from 'zod'
import { actionRequired } from './operation.ts'
import { currency, dateTime, id, text } from './primitives.ts'

/** The body of `POST /v1/cards`. */
export const createCardBody = z.strictObject({
  label: text(0, 80).optional(),
  type: z.enum(['virtual', 'physical'], { error: 'Send virtual or physical.' }),
  currency,
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
  id,
  label: z.string().nullable(),
  type: z.enum(['virtual', 'physical']),
  currency,
  /** Null until the provider has made the card. */
  brand: z.string().nullable(),
  last_four: z
    .string()
    .regex(/^\d{4}$/)
    .nullable(),
  state: z.enum(cardStates),
  /** The operation that is changing it now. */
  pending_operation_id: id.nullable(),
  created_at: dateTime,
  updated_at: dateTime,
})

/** A card as clients see it. */
export type Card = z.output<typeof card>

/** A short visit to the provider's page that shows the number. */
export const cardReveal = z.strictObject({
  id,
  card_id: id,
  expires_at: dateTime,
  action_required: actionRequired.extend({
    kind: z.literal('card_reveal'),
    expires_at: dateTime,
    poll_after_ms: z.null(),
  }),
})
