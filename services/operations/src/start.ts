/** Puts the service together: what it answers, what it consumes, what it repeats, and the order in which it stops. */

import { createSecretKey } from 'node:crypto'
import { type Bus, connectBus } from '@financial-agents/bus/connect'
import { consume } from '@financial-agents/bus/consume'
import type { EventBatch } from '@financial-agents/bus/messages/events'
import { serveCall, serveRoutes } from '@financial-agents/bus/rpc'
import { streamNames } from '@financial-agents/bus/streams'
import { createCursors } from '@financial-agents/contract/cursor'
import { confirmationRoutes } from '@financial-agents/contract/routes/confirmation-intents'
import { operationsRoutes } from '@financial-agents/contract/routes/operations'
import { transfersRoutes } from '@financial-agents/contract/routes/transfers'
import type { Database } from '@financial-agents/postgres/database'
import { openServiceDatabase } from '@financial-agents/postgres/service-database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { repeat } from '@financial-agents/runtime/repeat'
import { createSealer } from '@financial-agents/runtime/sealing'
import type { Started } from '@financial-agents/runtime/service'
import { createAcceptor } from './accept.ts'
import { createAnnounce } from './announce.ts'
import type { Approvals } from './approvals/approvals.ts'
import { openApprovals } from './approvals/open-approvals.ts'
import { createApprovalReturned } from './calls/approval-returned.ts'
import { createChanged } from './calls/changed.ts'
import { createDecide } from './calls/decide.ts'
import { createDecideIntent, createFindIntent } from './calls/intents.ts'
import { openOperatorsDatabase, serveOperators } from './calls/operators.ts'
import { createOwnerActivity } from './calls/owner-activity.ts'
import { createPayloads } from './calls/payloads.ts'
import { createStates } from './calls/states.ts'
import { createVerdict } from './calls/verdict.ts'
import type { OperationsConfig } from './config.ts'
import { createConfirm } from './confirm.ts'
import { createConfirmationIntent } from './handlers/createConfirmationIntent.ts'
import { getConfirmationIntent } from './handlers/getConfirmationIntent.ts'
import { getOperation } from './handlers/getOperation.ts'
import { getTransfer } from './handlers/getTransfer.ts'
import { listOperations } from './handlers/listOperations.ts'
import { listTransfers } from './handlers/listTransfers.ts'
import { pollOperationApproval } from './handlers/pollOperationApproval.ts'
import { createAsking } from './intents/asking.ts'
import { createProjector } from './project.ts'
import { findUnsettledBindings } from './store/operations.ts'
import { eraseQuotedPayloads, pruneEndedIntents, pruneExpiredKeys, sweepUnclaimed } from './sweep.ts'

export type Parts = {
  config: OperationsConfig
  log: Log
  clock: Clock
  /** Where the tables are; the role's own name but in tests. */
  schema?: string
}

export async function startOperations({ config, log, clock, schema = 'operations' }: Parts): Promise<Started> {
  const db = openServiceDatabase({ config, name: 'operations', schema, log })
  const operatorsDb = openOperatorsDatabase({ config, schema, log })
  const bus = await connectBus({ config, name: 'operations', log })
  const announce = createAnnounce(bus)
  const approvals = openApprovals({ config, log, clock, db, bus, announce })
  const accept = createAcceptor({
    db,
    clock,
    announce,
    approvals,
    maxItems: config.ACCEPT_BATCH_ITEMS,
    concurrency: config.ACCEPT_CONCURRENCY,
    keyWindowMs: config.KEY_WINDOW_MS,
    sweepAfterMs: config.SWEEP_AFTER_MS,
  })
  serveCall(bus, 'int.operations.accept', (request, { timeoutMs }) => accept(request, timeoutMs), { log })
  serveCall(bus, 'int.operations.verdict', createVerdict(db, clock), { log })
  serveCall(bus, 'int.operations.decide', createDecide(db, clock), { log })
  serveCall(bus, 'int.operations.approval-returned', createApprovalReturned(approvals), { log })
  serveOperations({ db, approvals, bus, log })
  serveTransfers({ config, db, bus, log })
  serveIntents({ config, db, clock, bus, log })
  serveViews(bus, db, log)
  serveOperators({ db: operatorsDb, clock, bus, log })
  const consuming = consume<EventBatch>(bus, {
    stream: streamNames.event,
    durable: 'operations',
    maxMessages: config.PROJECT_BATCH_MESSAGES,
    concurrency: config.PROJECT_CONCURRENCY,
    handle: createProjector({ db, clock, log, confirm: createConfirm(bus) }),
    retryAfterMs: config.PROJECT_RETRY_MS,
    onError: (error) => log.warn({ err: error }, 'events will come again'),
  })
  const pauses = { shortestMs: config.SWEEP_AFTER_MS, longestMs: config.SWEEP_LONGEST_MS }
  const repeating = [
    repeat({
      name: 'unclaimed',
      pauseMs: config.SWEEP_PAUSE_MS,
      log,
      work: () => sweepUnclaimed({ db, clock, announce, ...pauses }),
    }),
    repeat({ name: 'approvals', pauseMs: config.APPROVAL_SWEEP_PAUSE_MS, log, work: approvals.sweep }),
    repeat({ name: 'prune', pauseMs: config.PRUNE_PAUSE_MS, log, work: () => pruneExpiredKeys({ db, clock }) }),
    repeat({
      name: 'prune intents',
      pauseMs: config.PRUNE_PAUSE_MS,
      log,
      work: () => pruneEndedIntents({ db, clock }),
    }),
    repeat({
      name: 'quoted payloads',
      pauseMs: config.ERASE_PAUSE_MS,
      log,
      work: () => eraseQuotedPayloads({ db, clock }),
    }),
  ]
  return {
    checks: { bus: () => bus.check(), database: () => db.check() },
    stop: async () => {
      await Promise.all([consuming.stop(), approvals.stop(), ...repeating.map((sweep) => sweep.stop())])
      await bus.drain()
      await Promise.all([approvals.close(), db.close(), operatorsDb.close()])
    },
  }
}

function serveIntents({ config, db, clock, bus, log }: Parts & { db: Database; bus: Bus }): void {
  const parts = {
    db,
    clock,
    baseUrl: config.PUBLIC_BASE_URL,
    requestHashKey: createSecretKey(config.REQUEST_HASH_KEY),
    sealer: createSealer(config.PAYLOAD_KEYS),
    asking: createAsking(bus),
  }
  const handlers = {
    createConfirmationIntent: createConfirmationIntent(parts),
    getConfirmationIntent: getConfirmationIntent(parts),
  }
  serveRoutes(bus, confirmationRoutes, handlers, { log })
  serveCall(bus, 'int.operations.find-intent', createFindIntent(db, clock, parts.sealer), { log })
  serveCall(bus, 'int.operations.decide-intent', createDecideIntent(db, clock, parts.sealer), { log })
}

function serveOperations(parts: { db: Database; approvals: Approvals; bus: Bus; log: Log }): void {
  const { db, approvals, bus, log } = parts
  const handlers = {
    getOperation: getOperation(db),
    listOperations: listOperations(db),
    pollOperationApproval: pollOperationApproval(db, approvals),
  }
  serveRoutes(bus, operationsRoutes, handlers, { log })
}

function serveTransfers({ config, db, bus, log }: Pick<Parts, 'config' | 'log'> & { db: Database; bus: Bus }): void {
  const opening = { sealer: createSealer(config.PAYLOAD_KEYS), log }
  const handlers = {
    listTransfers: listTransfers(db, opening, createCursors(config.CURSOR_KEY)),
    getTransfer: getTransfer(db, opening),
  }
  serveRoutes(bus, transfersRoutes, handlers, { log })
}

/** What other services are told of operations, as it stands. */
function serveViews(bus: Bus, db: Database, log: Log): void {
  serveCall(bus, 'int.operations.payloads', createPayloads(db), { log })
  serveCall(bus, 'int.operations.unsettled-bindings', ({ binding_ids }) => findUnsettledBindings(db, binding_ids), {
    log,
  })
  serveCall(bus, 'int.operations.states', createStates(db), { log })
  serveCall(bus, 'int.operations.changed', createChanged(db), { log })
  serveCall(bus, 'int.operations.owner-activity', createOwnerActivity(db), { log })
}
