/**
 * Confirmation intents (decisions, "Confirmation intents"): the owner's single-use consent to one request, which the
 * client describes before it sends it.
 */

import { z } from 'zod'
import { placeholderBaseUrl } from '../openapi/origin.ts'
import { confirmableAction, confirmedAction } from './authorization.ts'
import { documented } from './documented.ts'
import { dateTime, id, text } from './primitives.ts'
import { ids } from './story.ts'

/** A request that the owner is asked to confirm, exactly as it will be sent. */
const requestToConfirm = z
  .strictObject({
    path: text(1, 512).describe('The concrete path of the request.'),
    body: z
      .record(z.string(), z.unknown(), { error: 'Send the body of the request, an object.' })
      .optional()
      .describe('The body of the request; absent if the request has none.'),
  })
  .register(documented, { id: 'RequestToConfirm' })

const confirmationStatus = z
  .enum(['pending', 'confirmed', 'declined', 'consumed', 'expired'])
  .register(documented, { id: 'ConfirmationStatus' })

/** The body of `POST /v1/confirmation-intents`: the action, and the request that carries it out. */
export const createConfirmationIntentBody = z
  .strictObject({
    action: confirmableAction.describe('The action to be confirmed.'),
    request: requestToConfirm.describe('The request exactly as it will be sent.'),
  })
  .register(documented, {
    examples: [
      {
        action: 'mandate_create',
        request: {
          path: '/v1/mandates',
          body: {
            beneficiary_id: ids.beneficiary,
            per_payment_max: '900.00',
            daily_max: '900.00',
            weekly_max: '900.00',
            monthly_max: '1000.00',
            total_cap: '12000.00',
            payment_count: 12,
            expires_at: '2027-11-01T00:00:00Z',
            authorized_rules: ['monthly-rent'],
          },
        },
      },
    ],
  })

const confirmationFact = z
  .strictObject({
    label: z.string().min(1).describe('The name of the fact, in words of this API.'),
    value: z.string().describe('The value of the fact: one line without invisible characters.'),
    foreign: z
      .boolean()
      .describe('True if somebody else wrote the value. Show it apart, never as a part of a sentence.'),
  })
  .register(documented, { id: 'ConfirmationFact' })

export type ConfirmationFact = z.output<typeof confirmationFact>

/** An intent as its client sees it. */
export const confirmationIntent = z
  .strictObject({
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
  .register(documented, {
    id: 'ConfirmationIntent',
    examples: [
      {
        id: ids.intent,
        action: 'mandate_create',
        status: 'pending',
        summary:
          'Let the payments below be made without asking you again.\nPayee: “Casa Azul Lda”\nPaid by: This application\nEach payment: At most EUR 900.00\nIn all: At most EUR 12,000.00, in at most 12 payments',
        facts: [
          { label: 'Payee', value: 'Casa Azul Lda', foreign: true },
          { label: 'Paid by', value: 'This application', foreign: false },
          { label: 'Each payment', value: 'At most EUR 900.00', foreign: false },
          { label: 'In all', value: 'At most EUR 12,000.00, in at most 12 payments', foreign: false },
        ],
        confirmation_url: `${placeholderBaseUrl}/confirm/${ids.intent}`,
        expires_at: '2026-11-20T09:25:02.104Z',
        poll_after_ms: 2000,
      },
    ],
  })

export type ConfirmationIntent = z.output<typeof confirmationIntent>
