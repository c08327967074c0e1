/**
 * Confirmation intents (decisions, "Confirmation intents"): the owner's one-use consent to one request that a client
 * names before it sends it.
 */

import { z } from 'zod'
import { confirmedAction } from './authorization.ts'
import { dateTime, id, text } from './primitives.ts'

/** What a client names: the action, and the request that carries it out. */
export const createConfirmationIntentBody = z.strictObject({
  action: confirmedAction,
  /** The request as it will be sent; without `body` where it has none. */
  request: z.strictObject({
    path: text(1, 512),
    body: z.record(z.string(), z.unknown(), { error: 'Send the body of the request, an object.' }).optional(),
  }),
})

/** An intent as its client sees it. */
export const confirmationIntent = z.strictObject({
  id,
  action: confirmedAction,
  status: z.enum(['pending', 'confirmed', 'declined', 'consumed', 'expired']),
  /** What the owner reads, in plain words. */
  summary: z.string().min(1),
  /** Where the owner confirms or declines. */
  confirmation_url: z.url(),
  expires_at: dateTime,
  /** Null once nothing will change by waiting. */
  poll_after_ms: z.int().min(1).nullable(),
})

/** An intent as its client sees it. */
export type ConfirmationIntent = z.output<typeof confirmationIntent>
