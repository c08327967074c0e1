/** The notifications for subscribers, described as OpenAPI webhooks. This is an extension of ours. */

import { webhookPayload } from '../schemas/webhook.ts'
import { jsonContent } from './media.ts'
import { extensionMark } from './operations.ts'

const header = (name: string, description: string, schema: Record<string, unknown> = { type: 'string' }) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
})

/** The member `webhooks` of the document. */
export const webhooks = {
  operationMoved: {
    post: {
      operationId: 'operationMoved',
      summary: 'An operation moved to another state',
      description:
        'An extension of ours, beyond the contract of this API. Signed as Standard Webhooks say: verify one of the signatures over `<webhook-id>.<webhook-timestamp>.<body>` before you believe it. The payload is thin: read the operation. Deliveries may repeat and come out of order; the same `webhook-id` is the same event. A receiver never repeats a financial write because of a notification. Answer with a 2xx status within ten seconds; redirects are not followed.',
      tags: ['operation-webhooks'],
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
        '4XX': { description: 'Not accepted. The notification is sent again later, for three days.' },
        '5XX': { description: 'Not accepted. The notification is sent again later, for three days.' },
      },
    },
  },
} as const
