/** Webhooks: notifications of operations, signed as Standard Webhooks say. An extension of ours; polling stays the truth. */

import { operationStates } from '@financial-agents/operation-machine/machine'
import { z } from 'zod'
import { operationKind, operationState } from './operation.ts'
import { dateTime, id, text } from './primitives.ts'

/** `operation.<state>`: an operation moved to this state. */
export const webhookEventTypes = operationStates.map((state) => `operation.${state}` as const)

/** What is notified. */
export const webhookEventType = z.enum(webhookEventTypes, { error: 'Send operation.<state>.' })

/** The body of `POST /v1/webhook-subscriptions`; all events where none are named. */
export const createWebhookSubscriptionBody = z.strictObject({
  url: text(1, 2_048),
  description: text(0, 200).optional(),
  events: z
    .array(webhookEventType)
    .min(1, { error: 'Name at least one event, or leave the member out for all.' })
    .max(webhookEventTypes.length)
    .refine((events) => new Set(events).size === events.length, { error: 'Name each event once.' })
    .optional(),
})

/** A subscription as its client sees it. */
export const webhookSubscription = z.strictObject({
  id,
  url: z.url(),
  description: z.string().nullable(),
  events: z.array(webhookEventType),
  status: z.enum(['active', 'disabled']),
  created_at: dateTime,
  disabled_at: dateTime.nullable(),
  disabled_reason: z.string().nullable(),
})

/** A subscription as its client sees it. */
export type WebhookSubscription = z.output<typeof webhookSubscription>

/** As it is answered once, when it is made: `secret` verifies the HMAC signatures and is never shown again. */
export const createdWebhookSubscription = webhookSubscription.extend({ secret: z.string().startsWith('whsec_') })

/** One notification, and what became of it. */
export const webhookDelivery = z.strictObject({
  /** The `webhook-id` of every attempt. */
  id,
  event_type: webhookEventType,
  operation_id: id,
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.int().min(0),
  last_status_code: z.int().nullable(),
  next_attempt_at: dateTime.nullable(),
  created_at: dateTime,
})

/** One notification, and what became of it. */
export type WebhookDelivery = z.output<typeof webhookDelivery>

/** What is posted to a subscriber: thin, the operation itself is read. */
export const webhookPayload = z.strictObject({
  type: webhookEventType,
  timestamp: dateTime,
  data: z.strictObject({
    operation_id: id,
    kind: operationKind,
    state: operationState,
    submission_uncertain: z.boolean(),
  }),
})

/** What is posted to a subscriber. */
export type WebhookPayload = z.output<typeof webhookPayload>
