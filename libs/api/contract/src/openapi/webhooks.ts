/**
 * The notifications for subscribers, described as OpenAPI webhooks. This is an extension of ours. They have a tag of their
 * own: under the tag of the routes, some generators wrote one file over the other.
 */

import { webhookPayload, webhookPayloadData } from '../schemas/webhook.ts'
import { jsonContent } from './media.ts'
import { nameOf } from './named-schemas.ts'
import { extensionMark } from './operations.ts'

const header = (name: string, description: string, schema: Record<string, unknown> = { type: 'string' }) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
})

export const webhooksTag = {
  name: 'notifications',
  description:
    'Requests that this API sends to subscribers (`operation-webhooks`), as OpenAPI webhooks. **An extension of ours**, beyond the contract of this API.',
  ...extensionMark,
}

/** The schemas to which only webhooks refer. */
export const schemasOfWebhooks: ReadonlySet<string> = new Set([webhookPayload, webhookPayloadData].map(nameOf))

/** The member `webhooks` of the document. */
export const webhooks = {
  operationMoved: {
    post: {
      operationId: 'operationMoved',
      summary: 'An operation moved to another state',
      description:
        'An extension of ours, beyond the contract of this API. Signed according to Standard Webhooks: verify one of the signatures over `<webhook-id>.<webhook-timestamp>.<body>` before you believe it. The payload is thin: read the operation. Deliveries may repeat and come out of order; the same `webhook-id` is the same event. A receiver never repeats a financial write because of a notification. Answer with a 2xx status within ten seconds; redirects are not followed. An answer 410 disables the subscription (`endpoint_gone`), and so do five days without a 2xx answer (`endpoint_failing`).',
      tags: [webhooksTag.name],
      ...extensionMark,
      security: [],
      parameters: [
        header('webhook-id', 'The event; the same on every attempt.'),
        header('webhook-timestamp', 'Seconds since 1970 at which this attempt was signed: refuse old ones.', {
          type: 'string',
          pattern: '^[0-9]+$',
        }),
        header(
          'webhook-signature',
          'Signatures, separated by spaces: `v1,` HMAC-SHA-256 with the secret of the subscription, `v1a,` Ed25519 with a key of `/.well-known/webhooks-jwks.json`.',
        ),
      ],
      requestBody: {
        required: true,
        description: 'The operation that moved, and its new state.',
        content: jsonContent(webhookPayload),
      },
      responses: {
        '2XX': { description: 'Received. The body is not read.' },
        '410': { description: 'The receiver is gone. The subscription is disabled, and nothing is sent again.' },
        '4XX': { description: 'Not accepted. The notification is sent again later, for three days.' },
        '5XX': { description: 'Not accepted. The notification is sent again later, for three days.' },
      },
    },
  },
} as const
