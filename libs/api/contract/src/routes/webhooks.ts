/** Operation-webhooks area: an extension of ours. A notification never changes an operation. */

import { z } from 'zod'
import { route } from '../route.ts'
import { cursor, limit, page, rfcUuid } from '../schemas/primitives.ts'
import {
  createdWebhookSubscription,
  createWebhookSubscriptionBody,
  rotatedWebhookSubscription,
  webhookDelivery,
  webhookSubscription,
} from '../schemas/webhook.ts'

const area = { area: 'operation-webhooks', service: 'notifier', scope: 'operations:read' } as const
const one = { ...area, params: z.strictObject({ id: rfcUuid.describe('The subscription.') }) } as const

export const webhooksRoutes = {
  createWebhookSubscription: route({
    summary: 'Subscribe to notifications of operations',
    description: 'Only this response shows `secret`. The address must be https on port 443 on the public internet.',
    ...area,
    method: 'POST',
    path: '/v1/webhook-subscriptions',
    client: 'webhooks.create',
    capability: 'webhooks.manage',
    body: createWebhookSubscriptionBody,
    status: 201,
    response: createdWebhookSubscription,
    unanswered:
      'Read GET /v1/webhook-subscriptions: a second subscription would be notified in addition to the first. If the list has it, delete it before you create another one, because only the lost answer had its secret.',
    problems: ['webhooks_unavailable', 'webhook_subscription_limit_reached'],
  }),
  listWebhookSubscriptions: route({
    summary: 'List webhook subscriptions',
    ...area,
    method: 'GET',
    path: '/v1/webhook-subscriptions',
    client: 'webhooks.list',
    cli: 'webhooks list',
    capability: 'webhooks.manage',
    query: z.strictObject({ cursor, limit }),
    response: page(webhookSubscription),
  }),
  getWebhookSubscription: route({
    summary: 'Read a webhook subscription',
    ...one,
    method: 'GET',
    path: '/v1/webhook-subscriptions/{id}',
    client: 'webhooks.get',
    capability: 'webhooks.manage',
    response: webhookSubscription,
    problems: ['webhook_subscription_not_found'],
  }),
  deleteWebhookSubscription: route({
    summary: 'Delete a webhook subscription',
    ...one,
    method: 'DELETE',
    path: '/v1/webhook-subscriptions/{id}',
    client: 'webhooks.delete',
    capability: 'webhooks.manage',
    status: 204,
    response: z.null(),
    problems: ['webhook_subscription_not_found'],
  }),
  rotateWebhookSecret: route({
    summary: 'Replace the secret of a webhook subscription',
    description:
      'Only this response shows the new `secret`. For one day each delivery has two `v1` signatures in `webhook-signature`, by the new secret and by the previous one; `webhook-id` stays the same. Give your receiver both secrets, and remove the previous one when that day is over. A repetition within the day replaces only the new secret, so it is safe after a lost answer.',
    ...one,
    method: 'POST',
    path: '/v1/webhook-subscriptions/{id}/rotate-secret',
    client: 'webhooks.rotateSecret',
    capability: 'webhooks.manage',
    response: rotatedWebhookSubscription,
    problems: ['webhooks_unavailable', 'webhook_subscription_not_found'],
  }),
  listWebhookDeliveries: route({
    summary: 'List the notifications of a subscription',
    description: 'Newest first.',
    ...one,
    method: 'GET',
    path: '/v1/webhook-subscriptions/{id}/deliveries',
    client: 'webhooks.deliveries',
    cli: 'webhooks deliveries {id}',
    capability: 'webhooks.manage',
    query: z.strictObject({ cursor, limit }),
    response: page(webhookDelivery),
    problems: ['webhook_subscription_not_found'],
  }),
  resendWebhookDelivery: route({
    summary: 'Send a notification again',
    description:
      'At once, whatever became of it before, with the same `webhook-id`: a receiver that keeps these takes it as a repetition. A delivery that is being sent now is left to that attempt. A failed attempt is repeated if retries are left. A disabled subscription gets nothing.',
    ...area,
    method: 'POST',
    path: '/v1/webhook-subscriptions/{id}/deliveries/{delivery_id}/resend',
    client: 'webhooks.resend',
    capability: 'webhooks.manage',
    params: one.params.extend({ delivery_id: rfcUuid.describe('The delivery.') }),
    response: webhookDelivery,
    problems: ['webhooks_unavailable', 'webhook_subscription_not_found', 'webhook_delivery_not_found'],
  }),
}
