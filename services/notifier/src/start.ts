/** Wires the service: the routes it answers, the events it takes, the sweeps it repeats. */

import { serveCall, serveRoutes } from '@financial-agents/bus/rpc'
import { createCursors } from '@financial-agents/contract/cursor'
import { webhooksRoutes } from '@financial-agents/contract/routes/webhooks'
import { createSealer } from '@financial-agents/runtime/sealing'
import type { z } from 'zod'
import type { notifierConfig } from './config.ts'
import { createWebhookSubscription } from './handlers/createWebhookSubscription.ts'
import { deleteWebhookSubscription } from './handlers/deleteWebhookSubscription.ts'
import { getWebhookSubscription } from './handlers/getWebhookSubscription.ts'
import { listWebhookDeliveries } from './handlers/listWebhookDeliveries.ts'
import { listWebhookSubscriptions } from './handlers/listWebhookSubscriptions.ts'
import type { Parts } from './parts.ts'
import type { Resolve } from './resolve.ts'
import { openSigningKeys } from './signing-keys.ts'
import { createTargets } from './targets.ts'

type Config = Omit<
  z.output<typeof notifierConfig>,
  'ENVIRONMENT' | 'DATABASE_URL' | 'DATABASE_MAX_CONNECTIONS' | 'NATS_URL' | 'NATS_NKEY_SEED'
>

export type Opened = Pick<Parts, 'bus' | 'db' | 'log' | 'clock'> & { resolve: Resolve }

/** `stop` ends consumer and sweeps; bus and database are the caller's to close, in that order. */
export function startNotifier(config: Config, opened: Opened): { stop(): Promise<void> } {
  const { bus, log, resolve } = opened
  const parts: Parts = {
    ...opened,
    cursors: createCursors(config.CURSOR_KEY),
    signingKeys: config.WEBHOOK_SIGNING_KEYS && openSigningKeys(config.WEBHOOK_SIGNING_KEYS),
    secretSealer: createSealer(config.SEALING_KEYS),
    targets: createTargets({ resolve, loopbackIsAllowed: config.WEBHOOK_LOOPBACK === 'allowed' }),
  }
  serveRoutes(
    bus,
    webhooksRoutes,
    {
      createWebhookSubscription: createWebhookSubscription(parts),
      listWebhookSubscriptions: listWebhookSubscriptions(parts),
      getWebhookSubscription: getWebhookSubscription(parts),
      deleteWebhookSubscription: deleteWebhookSubscription(parts),
      listWebhookDeliveries: listWebhookDeliveries(parts),
    },
    { log },
  )
  serveCall(bus, 'rpc.notifier.keys', async () => parts.signingKeys?.jwks ?? { keys: [] }, { log })
  return { stop: async () => {} }
}
