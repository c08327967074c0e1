/**
 * Confirmation intents (decisions, "Confirmation intents"): the owner's single-use consent to one request, which the
 * client describes before it sends it.
 */

import { z } from 'zod'
import { confirmedAction } from './authorization.ts'
import { dateTime, id, text } from './primitives.ts'

/** The body of `POST /v1/confirmation-intents`: the action, and the request that carries it out. */
export const createConfirmationIntentBody = z.strictObject({
  action: confirmedAction.describe('What is to be confirmed.'),
  /** The request exactly as it will be sent; `body` is absent if the request has none. */
  request: z
    .strictObject({
      path: text(1, 512).describe('The concrete path.'),
      body: z
        .record(z.string(), z.unknown(), { error: 'Send the body of the request, an object.' })
        .optional()
        .describe('Left out where the request has none.'),
    })
    .describe('The request exactly as it will be sent.'),
})

/** One fact of an intent. */
export const confirmationFact = z.strictObject({
  label: z.string().min(1).describe('What it is about, in words of this API.'),
  value: z.string().describe('One line, without unseen characters.'),
  foreign: z
    .boolean()
    .describe('True where somebody else wrote the value: show it apart, never as a part of a sentence.'),
})

/** One fact of an intent. */
export type ConfirmationFact = z.output<typeof confirmationFact>

/** An intent as its client sees it. */
export const confirmationIntent = z.strictObject({
  id: id.describe('Send it as Confirmation-Intent-ID once it is confirmed.'),
  action: confirmedAction.describe('What is to be confirmed.'),
  status: z.enum(['pending', 'confirmed', 'declined', 'consumed', 'expired']).describe('What became of it.'),
  summary: z
    .string()
    .min(1)
    .describe(
      'What is to be confirmed, as plain text: what it does, then a line for each of `facts`. Other applications are counted; their names are for the owner alone.',
    ),
  facts: z.array(confirmationFact).describe('The same, one by one: payee, amounts, limits, until when.'),
  confirmation_url: z.url().describe('Where the owner confirms or declines.'),
  expires_at: dateTime.describe('When it ends, confirmed or not.'),
  poll_after_ms: z
    .int()
    .min(1)
    .nullable()
    .describe('Milliseconds to wait before it is read again; null once nothing will change by waiting.'),
})

/** An intent as its client sees it. */
export type ConfirmationIntent = z.output<typeof confirmationIntent>
