/**
 * POST /v1/webhook-subscriptions/{id}/rotate-secret: replaces the secret. Until the previous one ends, both sign each
 * delivery.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { webhooksRoutes } from '@financial-agents/contract/routes/webhooks'
import type { Dependencies } from '../dependencies.ts'
import { newSecret } from '../secrets.ts'
import { replaceSecret } from '../subscription-store.ts'

/** The time for which the previous secret also signs. */
const overlapMs = 86_400_000

export function rotateWebhookSecret(
  dependencies: Dependencies,
): Handlers<typeof webhooksRoutes>['rotateWebhookSecret'] {
  return async ({ params }, { principal }) => {
    if (!dependencies.signingKeys) throw new Problem('webhooks_unavailable')
    const id = params.id.toLowerCase()
    const secret = newSecret(dependencies.secretSealer, id)
    const now = dependencies.clock.now()
    const until = new Date(now.getTime() + overlapMs)
    const subscription = await replaceSecret(dependencies.db, principal, { id, sealed: secret.sealed, now, until })
    if (!subscription) throw new Problem('webhook_subscription_not_found')
    return { ...subscription, secret: secret.shown, previous_secret_until: until.toISOString() }
  }
}
