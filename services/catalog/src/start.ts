/** Wires the service: the routes that it answers, the background job that it repeats. */

import type { Bus } from '@financial-agents/bus/connect'
import { serveRoutes } from '@financial-agents/bus/rpc'
import { documentationUrl } from '@financial-agents/contract/capabilities'
import { createCursors } from '@financial-agents/contract/cursor'
import { purchasesRoutes } from '@financial-agents/contract/routes/purchases'
import { referenceDataRoutes } from '@financial-agents/contract/routes/reference-data'
import { servicesRoutes } from '@financial-agents/contract/routes/services'
import { transferQuotesRoutes } from '@financial-agents/contract/routes/transfer-quotes'
import type { Queryable } from '@financial-agents/postgres/database'
import type { createOffers } from '@financial-agents/provider-client/offers'
import { createPortRead } from '@financial-agents/provider-client/port-read'
import { createProviderReader } from '@financial-agents/provider-client/reader'
import type { Provider } from '@financial-agents/provider-port/port'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { createSealer } from '@financial-agents/runtime/sealing'
import type { Running } from '@financial-agents/service/service'
import type { z } from 'zod'
import { createShowCapabilities } from './capabilities.ts'
import type { catalogConfig } from './config.ts'
import type { Dependencies } from './dependencies.ts'
import { createPurchaseQuote } from './handlers/createPurchaseQuote.ts'
import { createTransferQuote } from './handlers/createTransferQuote.ts'
import { getPurchase } from './handlers/getPurchase.ts'
import { getPurchaseQuote } from './handlers/getPurchaseQuote.ts'
import { getService } from './handlers/getService.ts'
import { listAssets } from './handlers/listAssets.ts'
import { listFiatPrices } from './handlers/listFiatPrices.ts'
import { listPurchases } from './handlers/listPurchases.ts'
import { listServices } from './handlers/listServices.ts'
import { createIds } from './ids.ts'
import { createOfferedKinds } from './offered-kinds.ts'
import { startPruning } from './prune.ts'
import { createPurchasesReads } from './purchases-reads.ts'
import { createReferenceReads } from './reference-reads.ts'
import { createServicesReads } from './services-reads.ts'

type Config = Pick<
  z.output<typeof catalogConfig>,
  | 'PUBLIC_BASE_URL'
  | 'ENABLED_CAPABILITIES'
  | 'DOCUMENTATION_URL'
  | 'PROVIDER_READ_TIMEOUT_MS'
  | 'CREDENTIAL_KEYS'
  | 'CURSOR_KEY'
  | 'PRUNE_PAUSE_MS'
>

export type Opened = {
  bus: Bus
  db: Queryable
  log: Log
  clock: Clock
  provider: Provider & Parameters<typeof createOffers>[0]
}

export function startCatalog(config: Config, opened: Opened): Running {
  const dependencies = createDependencies(config, opened)
  const routes = { ...referenceDataRoutes, ...servicesRoutes, ...transferQuotesRoutes, ...purchasesRoutes }
  serveRoutes(
    opened.bus,
    routes,
    {
      listAssets: listAssets(dependencies),
      listFiatPrices: listFiatPrices(dependencies),
      listServices: listServices(dependencies),
      getService: getService(dependencies),
      createTransferQuote: createTransferQuote(dependencies),
      createPurchaseQuote: createPurchaseQuote(dependencies),
      getPurchaseQuote: getPurchaseQuote(dependencies),
      listPurchases: listPurchases(dependencies),
      getPurchase: getPurchase(dependencies),
    },
    { log: opened.log },
  )
  return startPruning({ ...opened, pauseMs: config.PRUNE_PAUSE_MS })
}

function createDependencies(config: Config, opened: Opened): Dependencies {
  const reader = createProviderReader({
    ...opened,
    credentialSealer: createSealer(config.CREDENTIAL_KEYS),
    readTimeoutMs: config.PROVIDER_READ_TIMEOUT_MS,
  })
  const reads = { ...opened, reader, ids: createIds(opened) }
  return {
    ...opened,
    offeredKinds: createOfferedKinds(opened.provider, reader),
    cursors: createCursors(config.CURSOR_KEY),
    referenceReads: createReferenceReads(reads),
    servicesReads: createServicesReads(reads),
    purchasesReads: createPurchasesReads(reads),
    transferQuoteRead: createPortRead(reads, 'transferQuote'),
    purchaseQuoteRead: createPortRead(reads, 'purchaseQuote'),
    showCapabilities: createShowCapabilities(config),
    documentationUrl: documentationUrl(config),
  }
}
