/** The calls that the notifier answers. */

import type { WebhookDelivery } from '@financial-agents/contract/schemas/webhook'
import type { KeySet } from '../messages/http.ts'
import { call } from './row.ts'

export const notifierCalls = {
  'rpc.notifier.keys': call<null, KeySet>({
    askedBy: ['gateway'],
    meaning: 'the JWK Set that verifies webhooks; the gateway publishes it at `/.well-known/webhooks-jwks.json`',
  }),
  'int.notifier.operation-deliveries': call<{ operation_id: string }, WebhookDelivery[]>({
    askedBy: ['ops-console'],
    meaning: 'for operators: the deliveries of an operation to all subscriptions',
  }),
}
