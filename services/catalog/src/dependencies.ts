/** The dependencies of the handlers. */

import type { Bus } from '@financial-agents/bus/connect'
import type { Cursors } from '@financial-agents/contract/cursor'
import type { Queryable } from '@financial-agents/postgres/database'
import type { PortRead } from '@financial-agents/provider-client/port-read'
import type { Clock } from '@financial-agents/runtime/clock'
import type { OfferedKinds } from './offered-kinds.ts'
import type { PurchasesReads } from './purchases-reads.ts'
import type { ReferenceReads } from './reference-reads.ts'
import type { Shown } from './services.ts'
import type { ServicesReads } from './services-reads.ts'

export type Dependencies = Shown & {
  bus: Bus
  db: Queryable
  clock: Clock
  offeredKinds: OfferedKinds
  cursors: Cursors
  referenceReads: ReferenceReads
  servicesReads: ServicesReads
  purchasesReads: PurchasesReads
  transferQuoteRead: PortRead<'transferQuote'>
  purchaseQuoteRead: PortRead<'purchaseQuote'>
}
