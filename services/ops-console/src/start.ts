/** Wires the service: the routes it answers, its public keys, its pages, the sweep it repeats. */

import { serveCall, serveRoutes } from '@financial-agents/bus/rpc'
import { createCursors } from '@financial-agents/contract/cursor'
import { operatorRoutes } from '@financial-agents/contract/routes/operator'
import type { ConsoleConfig } from './config.ts'
import { getOperatorOperation } from './handlers/getOperatorOperation.ts'
import { listOperatorGrants } from './handlers/listOperatorGrants.ts'
import { listOperatorOperations } from './handlers/listOperatorOperations.ts'
import { suspendOperatorGrant } from './handlers/suspendOperatorGrant.ts'
import { createClientNames } from './operations/client-names.ts'
import { createOverview } from './operations/overview.ts'
import type { Opened, Parts } from './parts.ts'
import { createAudit } from './store/audit.ts'
import { publicJwk } from './token/signing-keys.ts'

export type StartConfig = Pick<ConsoleConfig, 'CURSOR_KEY' | 'CONSOLE_SIGNING_KEYS'>

/** `stop` ends the sweep; bus and database are the caller's to close, in that order. */
export function startConsole(config: StartConfig, opened: Opened): { stop(): Promise<void> } {
  const { bus, db, log, clock } = opened
  const parts: Parts = {
    ...opened,
    cursors: createCursors(config.CURSOR_KEY),
    clientNames: createClientNames(opened),
    overview: createOverview(opened),
    audit: createAudit(db, clock),
  }
  serveRoutes(
    bus,
    operatorRoutes,
    {
      listOperatorOperations: listOperatorOperations(parts),
      getOperatorOperation: getOperatorOperation(parts),
      listOperatorGrants: listOperatorGrants(parts),
      suspendOperatorGrant: suspendOperatorGrant(parts),
    },
    { log },
  )
  const keys = config.CONSOLE_SIGNING_KEYS.map(publicJwk)
  serveCall(bus, 'rpc.ops-console.keys', async () => ({ keys }), { log })
  return { stop: async () => {} }
}
