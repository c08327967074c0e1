/** Wires the service: the routes that it answers, the events that it consumes, the background jobs that it repeats. */

import { serveRoutes } from '@financial-agents/bus/rpc'
import { createCursors } from '@financial-agents/contract/cursor'
import { cardsRoutes } from '@financial-agents/contract/routes/cards'
import { createActivityPages } from '@financial-agents/provider-client/activity-pages'
import { createActivityView } from '@financial-agents/provider-client/activity-view'
import { createOffers } from '@financial-agents/provider-client/offers'
import { createPortRead } from '@financial-agents/provider-client/port-read'
import { createProviderReader } from '@financial-agents/provider-client/reader'
import type { Provider } from '@financial-agents/provider-port/port'
import { createSealer } from '@financial-agents/runtime/sealing'
import type { Running } from '@financial-agents/service/service'
import { startWrites } from '@financial-agents/writes/start-writes'
import type { z } from 'zod'
import { cardCreate, changeWrites } from './card-writes.ts'
import type { cardsConfig } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { changeCard } from './handlers/changeCard.ts'
import { createCard } from './handlers/createCard.ts'
import { createCardReveal } from './handlers/createCardReveal.ts'
import { getCard } from './handlers/getCard.ts'
import { listCardActivity } from './handlers/listCardActivity.ts'
import { listCards } from './handlers/listCards.ts'
import { startPruning } from './prune.ts'

type Config = Pick<
  z.output<typeof cardsConfig>,
  | 'ENABLED_CAPABILITIES'
  | 'PROVIDER_READ_TIMEOUT_MS'
  | 'PAYLOAD_KEYS'
  | 'CREDENTIAL_KEYS'
  | 'CURSOR_KEY'
  | 'ACTIVITY_KEY'
  | 'BACKGROUND_JOB_PAUSE_MS'
  | 'DRAFT_DECIDE_AFTER_MS'
  | 'PENDING_PULL_AFTER_MS'
  | 'PRUNE_PAUSE_MS'
>

export type Opened = Pick<Dependencies, 'bus' | 'db' | 'log' | 'clock' | 'provider'> & {
  provider: Parameters<typeof createOffers>[0] & Pick<Provider, 'activity'>
}

export function startCards(config: Config, opened: Opened): Running {
  const reader = createProviderReader({
    ...opened,
    credentialSealer: createSealer(config.CREDENTIAL_KEYS),
    readTimeoutMs: config.PROVIDER_READ_TIMEOUT_MS,
  })
  const writes = startWrites({
    ...opened,
    offers: createOffers(opened.provider, reader),
    area: 'cards',
    kinds: {
      card_create: cardCreate,
      ...changeWrites,
    },
    draftDecideAfterMs: config.DRAFT_DECIDE_AFTER_MS,
    pendingPullAfterMs: config.PENDING_PULL_AFTER_MS,
    backgroundJobPauseMs: config.BACKGROUND_JOB_PAUSE_MS,
  })
  const pruning = startPruning({ ...opened, pauseMs: config.PRUNE_PAUSE_MS })
  const cursors = createCursors(config.CURSOR_KEY)
  const dependencies: Dependencies = {
    ...opened,
    writes,
    reader,
    cursors,
    activityRead: createPortRead({ ...opened, reader }, 'activity'),
    activityPages: createActivityPages({ cursors, activityKey: config.ACTIVITY_KEY }),
    activityView: createActivityView(config.ACTIVITY_KEY),
    enabledCapabilities: config.ENABLED_CAPABILITIES,
    payloadSealer: createSealer(config.PAYLOAD_KEYS),
  }
  serveRoutes(
    opened.bus,
    cardsRoutes,
    {
      createCard: createCard(dependencies),
      listCards: listCards(dependencies),
      getCard: getCard(dependencies),
      listCardActivity: listCardActivity(dependencies),
      ...changeCard(dependencies),
      createCardReveal: createCardReveal(dependencies),
    },
    { log: opened.log },
  )
  return {
    stop: async () => {
      await Promise.all([writes.stop(), pruning.stop()])
    },
  }
}
