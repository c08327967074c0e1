/** Wires the service: the calls that it answers, the events that it consumes, the background jobs that it repeats. */

import { createSecretKey } from 'node:crypto'
import { operationsCalls } from '@financial-agents/bus/calls/operations'
import type { CallHandlers } from '@financial-agents/bus/calls/row'
import type { Bus } from '@financial-agents/bus/connect'
import { consume } from '@financial-agents/bus/consume'
import type { EventBatch } from '@financial-agents/bus/messages/events'
import { serveRoutes } from '@financial-agents/bus/rpc'
import { serveCalls } from '@financial-agents/bus/serve-calls'
import { streamNames } from '@financial-agents/bus/streams'
import { createCursors } from '@financial-agents/contract/cursor'
import { confirmationRoutes } from '@financial-agents/contract/routes/confirmation-intents'
import { operationsRoutes } from '@financial-agents/contract/routes/operations'
import { transfersRoutes } from '@financial-agents/contract/routes/transfers'
import type { Database } from '@financial-agents/postgres/database'
import { keepMonths, observeMonths } from '@financial-agents/postgres/months'
import type { Provider } from '@financial-agents/provider-port/port'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import { createSealer } from '@financial-agents/runtime/sealing'
import type { Pool, Running } from '@financial-agents/service/service'
import { reportOf } from '@financial-agents/witness/closed'
import { startWitness } from '@financial-agents/witness/witness'
import { createAcceptor } from './accept.ts'
import { type Announce, createAnnounce } from './announce.ts'
import type { Approvals } from './approvals/approvals.ts'
import { openApprovals } from './approvals/open-approvals.ts'
import { repeatMoves } from './approvals/publish.ts'
import { announceUnclaimed, eraseQuotedPayloads, pruneEndedIntents, pruneExpiredKeys } from './background-job.ts'
import { createApprovalReturned } from './calls/approval-returned.ts'
import { createChanged } from './calls/changed.ts'
import { createCheckPayment } from './calls/check-payment.ts'
import { createDecide } from './calls/decide.ts'
import { createFindOperations } from './calls/find-operations.ts'
import { createDecideIntent, createFindIntent } from './calls/intents.ts'
import { createOverview } from './calls/overview.ts'
import {
  createOwnerActivity,
  createOwnerHistory,
  createOwnerOperation,
  createOwnerSpending,
} from './calls/owner-activity.ts'
import { createPayloads } from './calls/payloads.ts'
import { findOperationAhead } from './calls/recover.ts'
import { createReserveAgain } from './calls/reserve-again.ts'
import { createResult } from './calls/result.ts'
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
import { createLostOperations } from './lost-operations.ts'
import { observeUnresolved } from './measure.ts'
import { createProjector } from './project.ts'
import { listGrantActivity } from './store/grant-activity.ts'
import { findUnsettledBindings } from './store/operations.ts'
import { findOperatorOperation } from './store/operator-history.ts'
import { listOwnerPayments } from './store/owner-payments.ts'
import { findStateViews } from './store/state-views.ts'
import { readSubmissionHealth } from './store/submission-health.ts'

export type Opened = {
  bus: Bus
  db: Database
  openPool: (pool: Pool) => Database
  provider: Provider
  log: Log
  clock: Clock
}

/** A separate pool for operators' queries, so that no write waits for a connection however long they take. */
const operatorsPool: Pool = { pool: 'operations for operators', maxConnections: 2, statementTimeoutMs: 2_000 }

export function startOperations(config: OperationsConfig, opened: Opened): Running {
  const { bus, db, log, clock } = opened
  const announce = createAnnounce(bus)
  const approvals = openApprovals(config, { ...opened, announce })
  const witness = startWitness({
    ...opened,
    schema: 'operations',
    lanes: config.ACCEPT_CONCURRENCY,
    now: () => clock.now(),
  })
  const accept = createAcceptor({
    db,
    witness,
    clock,
    announce,
    approvals,
    maxItems: config.ACCEPT_BATCH_ITEMS,
    concurrency: config.ACCEPT_CONCURRENCY,
    keyWindowMs: config.KEY_WINDOW_MS,
    backgroundJobAfterMs: config.BACKGROUND_JOB_AFTER_MS,
  })
  const operatorsDb = opened.openPool(operatorsPool)
  observeUnresolved(operatorsDb, clock)
  observeMonths(operatorsDb)
  serveOperations({ db, approvals, bus, log })
  const lost = createLostOperations({ db: operatorsDb, bus, witness })
  serveTransfers(config, opened)
  const intents = serveIntents(config, opened)
  const own = { ...intents, ...callsForOperators(operatorsDb, clock), ...viewsForServices(config, opened) }
  serveCalls(
    bus,
    operationsCalls,
    {
      ...own,
      'int.operations.witness': async () => reportOf(witness.closed()),
      'int.operations.lost': () => lost.find(),
      'int.operations.recover': () => witness.recover(() => findOperationAhead(db, clock)),
      'int.operations.accept': (request, { timeoutMs }) => accept(request, timeoutMs),
      'int.operations.check-payment': createCheckPayment(db, witness, clock),
      'int.operations.result': createResult(db, clock),
      'int.operations.decide': createDecide(db, clock),
      'int.operations.approval-returned': createApprovalReturned(approvals),
      'int.operations.fenced': approvals.noteFence,
    },
    { log },
  )
  const consuming = consume<EventBatch>(bus, {
    stream: streamNames.event,
    durable: 'operations',
    maxMessages: config.PROJECT_BATCH_MESSAGES,
    concurrency: config.PROJECT_CONCURRENCY,
    // A database that is not proven to be the newest takes no event away from the one that is.
    room: async () => {
      await witness.opened()
      return Number.POSITIVE_INFINITY
    },
    handle: createProjector({ db, clock, log, confirm: createConfirm(bus) }),
    retryAfterMs: config.PROJECT_RETRY_MS,
    onError: (error) => log.warn({ err: error }, 'events will come again'),
  })
  const repeating = [
    ...startBackgroundJobs(config, { db, bus, clock, log, announce, approvals }),
    repeat({ name: 'lost operations', pauseMs: config.BACKGROUND_JOB_PAUSE_MS, log, work: lost.record }),
  ]
  return {
    checks: { witness: () => witness.check() },
    stop: async () => {
      await Promise.all([consuming.stop(), approvals.stop(), witness.stop(), ...repeating.map((job) => job.stop())])
    },
  }
}

type Sweeping = Pick<Opened, 'db' | 'bus' | 'clock' | 'log'> & { announce: Announce; approvals: Approvals }

function startBackgroundJobs(
  config: OperationsConfig,
  { db, bus, clock, log, announce, approvals }: Sweeping,
): Repeating[] {
  const pauses = { shortestMs: config.BACKGROUND_JOB_AFTER_MS, longestMs: config.BACKGROUND_JOB_LONGEST_MS }
  return [
    repeat({
      name: 'unclaimed',
      pauseMs: config.BACKGROUND_JOB_PAUSE_MS,
      log,
      work: () =>
        announceUnclaimed({ db, clock, announce, repeatMoves: (ids) => repeatMoves({ db, bus }, ids), ...pauses }),
    }),
    repeat({ name: 'months', pauseMs: config.MONTHS_PAUSE_MS, log, work: () => keepMonths(db) }),
    repeat({ name: 'approvals', pauseMs: config.APPROVAL_JOB_PAUSE_MS, log, work: approvals.askAboutDue }),
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
}

function serveIntents(config: OperationsConfig, { db, clock, bus, log }: Opened) {
  const dependencies = {
    db,
    clock,
    baseUrl: config.PUBLIC_BASE_URL,
    requestHashKey: createSecretKey(config.REQUEST_HASH_KEY),
    sealer: createSealer(config.PAYLOAD_KEYS),
    asking: createAsking(bus, db),
  }
  const handlers = {
    createConfirmationIntent: createConfirmationIntent(dependencies),
    getConfirmationIntent: getConfirmationIntent(dependencies),
  }
  serveRoutes(bus, confirmationRoutes, handlers, { log })
  return {
    'int.operations.find-intent': createFindIntent(db, clock, dependencies.sealer),
    'int.operations.decide-intent': createDecideIntent(db, clock, dependencies.sealer),
  } satisfies Answers
}

function serveOperations(dependencies: { db: Database; approvals: Approvals; bus: Bus; log: Log }): void {
  const { db, approvals, bus, log } = dependencies
  const handlers = {
    getOperation: getOperation(db),
    listOperations: listOperations(db),
    pollOperationApproval: pollOperationApproval(db, approvals),
  }
  serveRoutes(bus, operationsRoutes, handlers, { log })
}

function serveTransfers(config: OperationsConfig, { db, bus, log }: Opened): void {
  const opening = { sealer: createSealer(config.PAYLOAD_KEYS), log }
  const handlers = {
    listTransfers: listTransfers(db, opening, createCursors(config.CURSOR_KEY)),
    getTransfer: getTransfer(db, opening),
  }
  serveRoutes(bus, transfersRoutes, handlers, { log })
}

type Answers = Partial<CallHandlers<typeof operationsCalls>>

/** Payloads, reservations and the current state of operations, for other services. */
function viewsForServices(config: OperationsConfig, { bus, db, clock, log }: Opened) {
  const opening = { sealer: createSealer(config.PAYLOAD_KEYS), log }
  return {
    'int.operations.payloads': createPayloads(db, bus),
    'int.operations.reserve-again': createReserveAgain(db, clock),
    'int.operations.unsettled-bindings': ({ binding_ids }) => findUnsettledBindings(db, binding_ids),
    'int.operations.states': ({ operation_ids }) => findStateViews(db, operation_ids),
    'int.operations.changed': createChanged(db, clock),
    'int.operations.owner-payments': ({ operation_ids }) => listOwnerPayments(db, operation_ids),
    'int.operations.owner-activity': createOwnerActivity(db, clock),
    'int.operations.owner-history': createOwnerHistory(db),
    'int.operations.owner-operation': createOwnerOperation(db, opening),
    'int.operations.owner-spending': createOwnerSpending(db, clock),
  } satisfies Answers
}

/** Operations of any owner and client, for operators. The console checks the operator's rights before it calls. */
function callsForOperators(db: Database, clock: Clock) {
  return {
    'int.operations.find-operations': createFindOperations(db),
    'int.operations.operation-history': async ({ operation_id }) =>
      (await findOperatorOperation(db, operation_id)) ?? null,
    'int.operations.overview': createOverview(db, clock),
    'int.operations.submission-health': (request) => readSubmissionHealth(db, request),
    'int.operations.grant-activity': ({ grant_ids }) => listGrantActivity(db, grant_ids),
  } satisfies Answers
}
