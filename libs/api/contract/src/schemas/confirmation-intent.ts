/**
 * Confirmation intents (decisions, "Confirmation intents"): the owner's single-use consent to one request, which the
 * client describes before it sends it.
 */

import { z } from 'zod'
import { confirmableAction, confirmedAction } from './authorization.ts'
import { dateTime, id, text } from './primitives.ts'

/** A request that the owner is asked to confirm, exactly as it will be sent. */
export const requestToConfirm = z.strictObject({
  path: text(1, 512).describe('The concrete path of the request.'),
  body: z
    .record(z.string(), z.unknown(), { error: 'Send the body of the request, an object.' })
    .optional()
    .describe('The body of the request; absent if the request has none.'),
})

/** The status of a confirmation intent. */
export const confirmationStatus = z.enum(['pending', 'confirmed', 'declined', 'consumed', 'expired'])

/** The body of `POST /v1/confirmation-intents`: the action, and the request that carries it out. */
export const createConfirmationIntentBody = z.strictObject({
  action: confirmableAction.describe('The action to be confirmed.'),
  request: requestToConfirm.describe('The request exactly as it will be sent.'),
})

/** One fact of an intent. */
export const confirmationFact = z.strictObject({
  label: z.string().min(1).describe('The name of the fact, in words of this API.'),
  value: z.string().describe('The value of the fact: one line without invisible characters.'),
  foreign: z.boolean().describe('True if somebody else wrote the value. Show it apart, never as a part of a sentence.'),
})

/** One fact of an intent. */
export type ConfirmationFact = z.output<typeof confirmationFact>

/** An intent as its client sees it. */
export const confirmationIntent = z.strictObject({
  id: id.describe('The intent. Send it as Confirmation-Intent-ID after it is confirmed.'),
  action: confirmedAction.describe('The action to be confirmed.'),
  status: confirmationStatus.describe(
    'The status of the intent. A confirmed intent becomes `declined` if the owner takes it back before it is used.',
  ),
  summary: z
    .string()
    .min(1)
    .describe(
      'The action as plain text: its effect, then a line for each of `facts`. Other applications are only counted; the owner sees their names.',
    ),
  facts: z.array(confirmationFact).describe('The same facts one by one: payee, amounts, limits, end.'),
  confirmation_url: z.url().describe('The page on which the owner confirms or declines.'),
  expires_at: dateTime.describe('The time at which the intent expires, confirmed or not.'),
  poll_after_ms: z
    .int32()
    .min(1)
    .nullable()
    .describe('The number of milliseconds to wait before the next read; null if waiting will change nothing.'),
})

/** An intent as its client sees it. */
export type ConfirmationIntent = z.output<typeof confirmationIntent>
