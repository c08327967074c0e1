/** What the pieces of the reconciler are made of; `start.ts` puts them together. */

import { randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import type { MessageContext } from '@financial-agents/bus/headers'
import type { Database } from '@financial-agents/postgres/database'
import type { Provider } from '@financial-agents/provider/port'
import type { Clock } from '@financial-agents/runtime/clock'
import { traceparentOrNew } from '@financial-agents/runtime/context'
import type { Log } from '@financial-agents/runtime/log'
import type { ReconcilerConfig } from './config.ts'

export type Parts = {
  config: ReconcilerConfig
  log: Log
  clock: Clock
  bus: Bus
  database: Database
  provider: Provider
}

/** For a call that serves a batch of operations and so belongs to no single request. */
export function batchContext(timeoutMs: number): MessageContext {
  return { requestId: randomUUID(), traceparent: traceparentOrNew(undefined), timeoutMs }
}
