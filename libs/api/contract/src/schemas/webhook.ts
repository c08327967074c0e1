/**
 * Webhooks: notifications of operations, signed by Standard Webhooks. An extension of ours. Only a read shows the
 * current state.
 */

import { z } from 'zod'
import { operationStates } from '../machine/machine.ts'
import { documented } from './documented.ts'
import { operationKind, operationState } from './operation.ts'
import { count, dateTime, extensible, id, text, words } from './primitives.ts'
import { ids, written } from './story.ts'

/** The event types `operation.<state>`: an operation moved to this state. */
export const webhookEventTypes = operationStates.map((state) => `operation.${state}` as const)

/** The types of events for which a request can ask. */
const webhookEventFilter = z
  .enum(webhookEventTypes, { error: 'Send operation.<state>.' })
  .register(documented, { id: 'WebhookEventFilter' })

const webhookEventType = extensible(z.enum(webhookEventTypes)).register(documented, { id: 'WebhookEventType' })

const exampleEvents: (typeof webhookEventTypes)[number][] = [
  'operation.succeeded',
  'operation.failed',
  'operation.indeterminate',
]

/** The body of `POST /v1/webhook-subscriptions`. Without `events`, all events are sent. */
export const createWebhookSubscriptionBody = z
  .strictObject({
    url: text(1, 2_048).describe('The address of the receiver: https, port 443, on the public internet.'),
    description: words(0, 200).optional().describe('The purpose of the subscription, in your words.'),
    events: z
      .array(webhookEventFilter)
      .min(1, { error: 'Name at least one event, or leave the member out for all.' })
      .max(webhookEventTypes.length, { error: 'Name each event once.' })
      .refine((events) => new Set(events).size === events.length, { error: 'Name each event once.' })
      .meta({ uniqueItems: true })
      .optional()
      .describe('The events to be notified; by default all events.'),
  })
  .register(documented, {
    examples: [
      {
        url: 'https://agent.example/hooks/operations',
        description: 'Rent agent',
        events: exampleEvents,
      },
    ],
  })

const webhookSubscriptionStatus = z
  .enum(['active', 'disabled'])
  .register(documented, { id: 'WebhookSubscriptionStatus' })

const webhookDisabledReason = extensible(z.enum(['endpoint_gone', 'endpoint_failing'])).register(documented, {
  id: 'WebhookDisabledReason',
})

const webhookDeliveryStatus = z
  .enum(['pending', 'delivered', 'failed'])
  .register(documented, { id: 'WebhookDeliveryStatus' })

const exampleSubscription = {
  id: ids.subscription,
  url: 'https://agent.example/hooks/operations',
  description: 'Rent agent',
  events: exampleEvents,
  status: 'active' as const,
  created_at: written.created_at,
  disabled_at: null,
  disabled_reason: null,
}

/** A subscription as its client sees it. */
export const webhookSubscription = z
  .strictObject({
    id: id.describe('The subscription.'),
    url: z.url().describe('The address of the receiver.'),
    description: z.string().nullable().describe('The purpose of the subscription.'),
    events: z.array(webhookEventType).meta({ uniqueItems: true }).describe('The events that are notified.'),
    status: webhookSubscriptionStatus.describe('`disabled` after the receiver answered 410, or failed for five days.'),
    created_at: dateTime.describe('The time of creation.'),
    disabled_at: dateTime.nullable().describe('The time at which the subscription was disabled.'),
    disabled_reason: webhookDisabledReason
      .nullable()
      .describe('`endpoint_gone`: the receiver answered 410. `endpoint_failing`: it failed for five days.'),
  })
  .register(documented, { id: 'WebhookSubscription', examples: [exampleSubscription] })

export type WebhookSubscription = z.output<typeof webhookSubscription>

/** The response to creating a subscription. `secret` verifies the HMAC signatures and is never shown again. */
export const createdWebhookSubscription = webhookSubscription
  .extend({
    secret: z
      .string()
      .regex(/^whsec_/)
      .describe('Verifies the HMAC signatures. Only this response shows it.'),
  })
  .register(documented, {
    id: 'CreatedWebhookSubscription',
    examples: [{ ...exampleSubscription, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
  })

/**
 * The response to rotating the secret. Until `previous_secret_until` each delivery is signed with the new secret and with the previous
 * one.
 */
export const rotatedWebhookSubscription = createdWebhookSubscription
  .extend({
    previous_secret_until: dateTime.describe('The time until which the previous secret also signs, one day from now.'),
  })
  .register(documented, {
    id: 'RotatedWebhookSubscription',
    examples: [
      {
        ...exampleSubscription,
        secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
        previous_secret_until: '2026-11-24T08:00:00.000Z',
      },
    ],
  })

/** One notification and its deliveries. */
export const webhookDelivery = z
  .strictObject({
    id: id.describe('The `webhook-id` of every attempt.'),
    event_type: webhookEventType.describe('The notified event.'),
    operation_id: id.describe('The operation that moved.'),
    status: webhookDeliveryStatus.describe('The state of the delivery.'),
    attempts: count.describe('The number of attempts so far.'),
    last_status_code: z.int().min(100).max(999).nullable().describe('The HTTP status of the last attempt.'),
    next_attempt_at: dateTime.nullable().describe('The time of the next attempt.'),
    created_at: dateTime.describe('The time at which the event was received for delivery.'),
  })
  .register(documented, {
    id: 'WebhookDelivery',
    examples: [
      {
        id: ids.delivery,
        event_type: 'operation.succeeded',
        operation_id: ids.operation,
        status: 'delivered',
        attempts: 1,
        last_status_code: 204,
        next_attempt_at: null,
        created_at: written.updated_at,
      },
    ],
  })

export type WebhookDelivery = z.output<typeof webhookDelivery>

/** The move of an operation that a notification reports. */
export const webhookPayloadData = z
  .strictObject({
    operation_id: id.describe('The operation, which the receiver must read.'),
    kind: operationKind.describe('The kind of the operation.'),
    state: operationState.describe('The state after the move.'),
    submission_uncertain: z
      .boolean()
      .describe('True if the provider may have accepted the write and we do not know it.'),
  })
  .register(documented, { id: 'WebhookPayloadData' })

/** The body that is posted to a subscriber. It is thin: the subscriber reads the operation. */
export const webhookPayload = z
  .strictObject({
    type: webhookEventType.describe('The event.'),
    timestamp: dateTime.describe(
      'The time at which the operation moved to the state, even if the notification is late.',
    ),
    data: webhookPayloadData.describe('The operation that moved.'),
  })
  .register(documented, {
    id: 'WebhookPayload',
    examples: [
      {
        type: 'operation.succeeded',
        timestamp: written.updated_at,
        data: {
          operation_id: ids.operation,
          kind: 'beneficiary_create',
          state: 'succeeded',
          submission_uncertain: false,
        },
      },
    ],
  })

/** The body that is posted to a subscriber. */
export type WebhookPayload = z.output<typeof webhookPayload>
