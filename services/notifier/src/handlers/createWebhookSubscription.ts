/**
 * POST /v1/webhook-subscriptions. The service creates the secret, returns it once, and stores it sealed. The URL is
 * validated now, so that the client learns of a wrong one, and again at each delivery.
 */

import { randomUUIDv7 } from 'node:crypto'
import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { webhooksRoutes } from '@financial-agents/contract/routes/webhooks'
import type { Dependencies } from '../dependencies.ts'
import { newSecret } from '../secrets.ts'
import { recordSubscription } from '../subscription-store.ts'
import { hostMessage, hostOf, type Targets } from '../targets.ts'

export function createWebhookSubscription(
  dependencies: Dependencies,
): Handlers<typeof webhooksRoutes>['createWebhookSubscription'] {
  return async ({ body }, { principal }) => {
    if (!dependencies.signingKeys) throw new Problem('webhooks_unavailable')
    const url = await checkTarget(dependencies.targets, body.url)
    const id = randomUUIDv7()
    const secret = newSecret(dependencies.secretSealer, id)
    const subscription = await recordSubscription(dependencies.db, {
      id,
      owner_id: principal.owner_id,
      client_id: principal.client_id,
      url: body.url,
      host: hostOf(url),
      description: body.description ?? null,
      events: body.events ?? null,
      secret_sealed: secret.sealed,
      created_at: dependencies.clock.now(),
    })
    if (!subscription) throw new Problem('webhook_subscription_limit_reached')
    return { ...subscription, secret: secret.shown }
  }
}

async function checkTarget(targets: Targets, text: string): Promise<URL> {
  const target = targets.validateUrl(text)
  if (!target.ok) throw refused(target.message)
  const addresses = await targets.addressesOf(target.url)
  if (addresses.length === 0) throw refused(hostMessage)
  return target.url
}

function refused(message: string): Problem {
  return new Problem('validation_failed', { detail: `url: ${message}`, fields: [{ path: 'url', message }] })
}
