/** Wires the service: the routes that it answers, the events that it consumes, the background jobs that it repeats. */

import { notifierCalls } from '@financial-agents/bus/calls/notifier'
import { serveRoutes } from '@financial-agents/bus/rpc'
import { serveCalls } from '@financial-agents/bus/serve-calls'
import { createCursors } from '@financial-agents/contract/cursor'
import { webhooksRoutes } from '@financial-agents/contract/routes/webhooks'
import { observeOutboxes } from '@financial-agents/postgres/outbox-figures'
import { createSealer } from '@financial-agents/runtime/sealing'
import type { Running } from '@financial-agents/service/service'
import type { z } from 'zod'
import { startCatchingUp } from './catch-up.ts'
import type { notifierConfig } from './config.ts'
import { startDelivering } from './deliver.ts'
import { listDeliveriesOfOperation } from './delivery-list.ts'
import type { Dependencies } from './dependencies.ts'
import { consumeEvents } from './events.ts'
import { createWebhookSubscription } from './handlers/createWebhookSubscription.ts'
import { deleteWebhookSubscription } from './handlers/deleteWebhookSubscription.ts'
import { getWebhookSubscription } from './handlers/getWebhookSubscription.ts'
import { listWebhookDeliveries } from './handlers/listWebhookDeliveries.ts'
import { listWebhookSubscriptions } from './handlers/listWebhookSubscriptions.ts'
import { resendWebhookDelivery } from './handlers/resendWebhookDelivery.ts'
import { rotateWebhookSecret } from './handlers/rotateWebhookSecret.ts'
import { observeDeliveries, ownerOutbox } from './measure.ts'
import { type Platform, startOwnerEvents } from './owner-events/start.ts'
import { startPruning } from './prune.ts'
import { createResolve, type Resolve } from './resolve.ts'
import { openSigningKeys, type SigningKeys } from './signing-keys.ts'
import { createTargets } from './targets.ts'

type Config = Omit<
  z.output<typeof notifierConfig>,
  'ENVIRONMENT' | 'DATABASE_URL' | 'DATABASE_MAX_CONNECTIONS' | 'NATS_URL' | 'NATS_NKEY_SEED' | 'NATS_REQUEST_GRACE_MS'
>

export type Opened = Pick<Dependencies, 'bus' | 'db' | 'log' | 'clock'> & {
  /** For tests: replaces the look-up of hosts. */
  resolve?: Resolve
}

export function startNotifier(config: Config, opened: Opened): Running {
  const { bus, log, resolve = createResolve() } = opened
  const dependencies: Dependencies = {
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
      createWebhookSubscription: createWebhookSubscription(dependencies),
      listWebhookSubscriptions: listWebhookSubscriptions(dependencies),
      getWebhookSubscription: getWebhookSubscription(dependencies),
      deleteWebhookSubscription: deleteWebhookSubscription(dependencies),
      rotateWebhookSecret: rotateWebhookSecret(dependencies),
      listWebhookDeliveries: listWebhookDeliveries(dependencies),
      resendWebhookDelivery: resendWebhookDelivery(dependencies),
    },
    { log },
  )
  serveCalls(
    bus,
    notifierCalls,
    {
      'rpc.notifier.keys': async () => dependencies.signingKeys?.jwks ?? { keys: [] },
      'int.notifier.operation-deliveries': ({ operation_id }) =>
        listDeliveriesOfOperation(dependencies.db, operation_id),
    },
    { log },
  )
  const pruning = startPruning({ ...opened, pauseMs: config.PRUNE_PAUSE_MS })
  const notifying =
    dependencies.signingKeys && startNotifying(config, { ...dependencies, signingKeys: dependencies.signingKeys })
  return {
    stop: async () => {
      await Promise.all([pruning.stop(), notifying?.stop()])
    },
  }
}

function startNotifying(
  config: Config,
  dependencies: Dependencies & { signingKeys: SigningKeys },
): { stop(): Promise<void> } {
  const delivering = startDelivering({
    ...dependencies,
    timeoutMs: config.WEBHOOK_TIMEOUT_MS,
    slots: { total: config.WEBHOOK_CONCURRENCY, perHost: config.WEBHOOK_HOST_CONCURRENCY },
    pauseMs: config.DELIVER_PAUSE_MS,
  })
  observeDeliveries(dependencies)
  const onDue = () => delivering.wake()
  const platform = platformOf(config)
  const ownerEvents = platform && startOwnerEvents({ ...dependencies, platform })
  if (ownerEvents) observeOutboxes({ ...dependencies, outboxes: [ownerOutbox] })
  const note = ownerEvents?.note
  const catchingUp = startCatchingUp({ ...dependencies, pauseMs: config.CATCH_UP_PAUSE_MS, onDue, note })
  const consuming = consumeEvents(dependencies, { onDue, note, onSeen: (atMs) => catchingUp.noteSeen(atMs) })
  return {
    stop: async () => {
      await Promise.all([consuming.stop(), catchingUp.stop()])
      await Promise.all([delivering.stop(), ownerEvents?.stop()])
    },
  }
}

function platformOf(config: Config): Platform | undefined {
  const { OWNER_EVENTS_URL: url, OWNER_EVENTS_SECRET: secret } = config
  if (url === undefined || secret === undefined) return undefined
  return {
    url: new URL(url),
    secret,
    capPercent: config.OWNER_EVENTS_CAP_PERCENT,
    pauseMs: config.OWNER_EVENTS_PAUSE_MS,
    pruneMs: config.PRUNE_PAUSE_MS,
    timeoutMs: config.WEBHOOK_TIMEOUT_MS,
  }
}
