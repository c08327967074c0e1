/**
 * Webhooks: notifications of operations, signed by Standard Webhooks. An extension of ours. Only a read shows the
 * current state.
 */

import { operationStates } from '@financial-agents/operation-machine/machine'
import { z } from 'zod'
import { operationKind, operationState } from './operation.ts'
import { dateTime, id, text, words } from './primitives.ts'

/** The event types `operation.<state>`: an operation moved to this state. */
export const webhookEventTypes = operationStates.map((state) => `operation.${state}` as const)

/** The type of a notified event. */
export const webhookEventType = z.enum(webhookEventTypes, { error: 'Send operation.<state>.' })

/** The body of `POST /v1/webhook-subscriptions`. Without `events`, all events are sent. */
export const createWebhookSubscriptionBody = z.strictObject({
  url: text(1, 2_048).describe('Where notifications go: https, port 443, on the public internet.'),
  description: words(0, 200).optional().describe('What it is for, in your words.'),
  events: z
    .array(webhookEventType)
    .min(1, { error: 'Name at least one event, or leave the member out for all.' })
    .max(webhookEventTypes.length, { error: 'Name each event once.' })
    .refine((events) => new Set(events).size === events.length, { error: 'Name each event once.' })
    .optional()
    .describe('What is notified; all events where it is left out.'),
})

/** A subscription as its client sees it. */
export const webhookSubscription = z.strictObject({
  id: id.describe('The subscription.'),
  url: z.url().describe('Where notifications go.'),
  description: z.string().nullable().describe('What it is for.'),
  events: z.array(webhookEventType).describe('What is notified.'),
  status: z.enum(['active', 'disabled']).describe('`disabled` after five days of failures.'),
  created_at: dateTime.describe('When it was made.'),
  disabled_at: dateTime.nullable().describe('When it was disabled.'),
  disabled_reason: z.string().nullable().describe('Why it was disabled.'),
})

/** A subscription as its client sees it. */
export type WebhookSubscription = z.output<typeof webhookSubscription>

/** The response to creating a subscription. `secret` verifies the HMAC signatures and is never shown again. */
export const createdWebhookSubscription = webhookSubscription.extend({
  secret: z
    .string()
    .regex(/^whsec_/)
    .describe('Verifies the HMAC signatures. Shown in this response alone.'),
})

/** One notification and its deliveries. */
export const webhookDelivery = z.strictObject({
  id: id.describe('The `webhook-id` of every attempt.'),
  event_type: webhookEventType.describe('What was notified.'),
  operation_id: id.describe('The operation that moved.'),
  status: z.enum(['pending', 'delivered', 'failed']).describe('What became of it.'),
  attempts: z.int().min(0).describe('How often it was sent.'),
  last_status_code: z.int().nullable().describe('What the last attempt was answered with.'),
  next_attempt_at: dateTime.nullable().describe('When it is sent again.'),
  created_at: dateTime.describe('When it was heard that the operation moved.'),
})

/** One notification and its deliveries. */
export type WebhookDelivery = z.output<typeof webhookDelivery>

/** The body that is posted to a subscriber. It is thin: the subscriber reads the operation. */
export const webhookPayload = z.strictObject({
  type: webhookEventType.describe('What happened.'),
  timestamp: dateTime.describe('When the operation moved to the state, also where that is told late.'),
  data: z
    .strictObject({
      operation_id: id.describe('The operation: read it.'),
      kind: operationKind.describe('What it does.'),
      state: operationState.describe('Where it stood.'),
      submission_uncertain: z.boolean().describe('Whether the provider may have accepted it without our knowing.'),
    })
    .describe('What the event is about.'),
})

/** The body that is posted to a subscriber. */
export type WebhookPayload = z.output<typeof webhookPayload>
