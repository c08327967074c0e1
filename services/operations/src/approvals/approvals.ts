/**
 * The owner's approval at the provider (write protocol, rule 15). The operation is committed first, and then the
 * provider is asked to prepare the approval. Creation, poll, hosted return and background job all ask through this module, one
 * at a time for an operation.
 *
 * Invariants: asking moves nothing, so it may be repeated; one compare-and-set on the approval's row decides; no caller
 * waits longer than its limit, and the answer is still recorded after that.
 */

import type { Fenced } from '@financial-agents/bus/messages/authority'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Log } from '@financial-agents/runtime/log'
import { createSlots } from '@financial-agents/runtime/slots'
import { type AskOptions, createAsk } from './ask.ts'
import type { AcceptanceApprovals } from './at-acceptance.ts'
import type { AskedBy, DueApproval, OpenApproval } from './item.ts'
import { publishMoves, repeatMoves } from './publish.ts'
import { createRecord, type Recorded, type RecordOptions } from './record.ts'
import {
  findOperationRow,
  hastenApproval,
  hastenFenced,
  recordApprovals,
  takeApproval,
  takeDueApprovals,
} from './store.ts'
import { type Pauses, validate, withdrawn } from './validate.ts'

export type ApprovalsOptions = RecordOptions &
  AskOptions & {
    db: Database
    clock: Clock
    log: Log
    mayAsk: AcceptanceApprovals['mayAsk']
    /** Returns the operations that a fence stops. None if the submitter does not answer. Never rejects. */
    findStopped: (due: readonly DueApproval[]) => Promise<ReadonlySet<string>>
    pauses: Pauses
    /** The number of simultaneous calls to the provider. */
    callSlots: number
    /** The longest time that a request waits for the provider. */
    waitMs: number
    /** The time during which no other caller asks while an answer is awaited. */
    leaseMs: number
  }

export type Approvals = AcceptanceApprovals & {
  /** Asks the provider if it may be asked now. Resolves when the answer is recorded, or at the request's time limit. */
  poll: (operationId: string, timeoutMs: number) => Promise<void>
  /**
   * Starts a question when the owner returns from the provider's page. Does not wait for the answer, so the return
   * reveals nothing.
   */
  noteReturn: (operationId: string) => Promise<void>
  /** Makes the approvals under a fence due for the background job. */
  noteFence: (fenced: Fenced) => Promise<void>
  /** Ends due approvals that a fence stops, and asks about the others. Returns true if more may be due. */
  askAboutDue: () => Promise<boolean>
  /** Starts no new questions. Resolves when the questions under way have ended. */
  stop: () => Promise<void>
}

const runLimit = 128
/** Limit of waiting questions. Beyond it, a new operation is left to the background job. */
const maxWaitingForSlot = 2_000

export function createApprovals(options: ApprovalsOptions): Approvals {
  const { db, clock } = options
  const asking = createAsking(options)
  const turn = () => {
    const now = clock.now()
    return { now, until: new Date(now.getTime() + options.leaseMs) }
  }
  const takeTurn = async (operationId: string): Promise<OpenApproval | undefined> => {
    failpoint('approval.before_turn')
    const item = await takeApproval(db, operationId, turn())
    failpoint('approval.after_turn')
    if (!item) await hastenApproval(db, operationId, clock.now())
    return item
  }
  const wait = (work: Promise<Recorded>, timeoutMs: number) =>
    within(work, timeoutMs > 0 ? Math.min(options.waitMs, timeoutMs / 2) : options.waitMs)

  return {
    mayAsk: options.mayAsk,
    record: (tx, operationIds, now) => {
      const { askAfter, nextCheckAt } = firstTimes(now, options)
      return recordApprovals(tx, operationIds, { now, askAfter, nextCheckAt })
    },
    begin: async (operation, { payload_sealed, ...asked }, timeoutMs) => {
      const payload = Buffer.from(payload_sealed, 'base64')
      const item = { ...asked, ...unprepared, payload_sealed: payload, created_at: operation.created_at }
      const asks = asking.isFull() ? undefined : asking.ask(asked.operation_id, 'prepare', async () => item)
      const recorded = asks && (await wait(asks, timeoutMs))
      const lost = recorded?.type === 'lost' && (await findOperationRow(db, operation.id).catch(() => undefined))
      const answered = recorded?.type === 'moved' ? recorded.row : lost || operation
      if (answered.state !== 'requires_action') return answered
      const move = { sequence: 1, event: 'accept_for_approval', reason: null, evidence: null } as const
      await publishMoves(options.bus, [{ ...operation, ...asked, ...move }])
      if (!recorded) void asks?.then((late) => publishGranted(options, late))
      return answered
    },
    poll: async (operationId, timeoutMs) => {
      await wait(
        asking.ask(operationId, 'poll', () => takeTurn(operationId)),
        timeoutMs,
      )
    },
    noteReturn: async (operationId) => {
      // The question under way may have been asked before the owner decided, so another one follows it. The row notes that
      // too, in case this process ends before.
      const underWay = asking.underWay(operationId)
      if (underWay) {
        void underWay.then(() => asking.ask(operationId, 'return', () => takeTurn(operationId)))
        return hastenApproval(db, operationId, clock.now())
      }
      // The turn is taken inside the question. A turn taken earlier would stay unused if a poll started its question
      // first.
      const taken = Promise.withResolvers<void>()
      void asking.ask(operationId, 'return', () => takeTurn(operationId).finally(taken.resolve))
      return taken.promise
    },
    noteFence: (fenced) => hastenFenced(db, fenced, clock.now()),
    askAboutDue: () => askAboutDue(options, asking, turn()),
    stop: asking.stop,
  }
}

/** Ends due approvals that a fence stops, and asks about the others. Returns true if more may be due. */
async function askAboutDue(
  options: ApprovalsOptions,
  asking: Asking,
  turn: { now: Date; until: Date },
): Promise<boolean> {
  failpoint('approval.before_job')
  const due = await takeDueApprovals(options.db, runLimit, turn)
  failpoint('approval.after_job')
  const ids = due.map(({ operation_id }) => operation_id)
  await repeatMoves(options, ids)
  const stopped = due.length > 0 ? await options.findStopped(due) : new Set()
  await Promise.all(
    due.map((item) => {
      const { operation_id } = item
      return stopped.has(operation_id) ? asking.end(item) : asking.ask(operation_id, 'background_job', async () => item)
    }),
  )
  if (due.length > 0) options.log.debug({ operations: due.length }, 'asked about approvals that were due')
  return due.length === runLimit
}

const unprepared = { state: 'unprepared', approval: null, expires_at: null, poll_after_ms: null, failures: 0 } as const

/** The accepting replica asks first. Polls may ask after `waitMs`, and the background job asks after `leaseMs`. */
function firstTimes(now: Date, { waitMs, leaseMs }: ApprovalsOptions) {
  return { askAfter: new Date(now.getTime() + waitMs), nextCheckAt: new Date(now.getTime() + leaseMs) }
}

type Asking = {
  /** Joins a question under way. Never rejects. */
  ask: (operationId: string, by: AskedBy, take: () => Promise<OpenApproval | undefined>) => Promise<Recorded>
  /** Ends an approval under a fence without a question. Never rejects. */
  end: (item: OpenApproval) => Promise<Recorded>
  /** The question under way; undefined if one may be started. */
  underWay: (operationId: string) => Promise<Recorded> | undefined
  isFull: () => boolean
  stop: () => Promise<void>
}

const unchanged: Recorded = { type: 'unchanged' }

function createAsking(options: ApprovalsOptions): Asking {
  const { clock, log, pauses } = options
  const askProvider = createAsk(options)
  const record = createRecord(options)
  const slots = createSlots(options.callSlots)
  const underWay = new Map<string, Promise<Recorded>>()
  let stopped = false

  const settle = async (by: AskedBy, take: () => Promise<OpenApproval | undefined>): Promise<Recorded> => {
    const item = await take()
    if (!item) return unchanged
    await slots.acquire()
    const asked = clock.now()
    const answer = await askProvider(item).finally(() => slots.release())
    const result = validate(item, answer, { asked, now: clock.now() }, pauses)
    const recorded = await record({ item, by, answer, asked, result })
    if (by !== 'prepare') await publishGranted(options, recorded)
    return recorded
  }

  const unsettled = (operationId: string, error: unknown): Recorded => {
    log.warn({ err: error, operation_id: operationId }, 'an approval is looked after again')
    return unchanged
  }

  return {
    ask: (operationId, by, take) => {
      const joined = underWay.get(operationId)
      if (joined) return joined
      if (stopped) return Promise.resolve(unchanged)
      const work = settle(by, take)
        .catch((error: unknown) => unsettled(operationId, error))
        .finally(() => underWay.delete(operationId))
      underWay.set(operationId, work)
      return work
    },
    end: (item) =>
      record({ item, by: 'fence', answer: null, asked: clock.now(), result: withdrawn }).catch((error: unknown) =>
        unsettled(item.operation_id, error),
      ),
    underWay: (operationId) => underWay.get(operationId) ?? (stopped ? Promise.resolve(unchanged) : undefined),
    isFull: () => stopped || slots.waiting() >= maxWaitingForSlot,
    stop: async () => {
      stopped = true
      while (underWay.size > 0) await Promise.all(underWay.values())
    },
  }
}

/** Publishes an acceptance that the answer of the creation did not show. */
async function publishGranted({ bus }: Pick<RecordOptions, 'bus'>, recorded: Recorded): Promise<void> {
  if (recorded.type === 'moved' && recorded.row.state === 'accepted' && 'event' in recorded.row)
    await publishMoves(bus, [recorded.row])
}

/** Returns undefined if the time limit comes first. */
async function within<Value>(work: Promise<Value>, ms: number): Promise<Value | undefined> {
  const time = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => time.resolve(undefined), ms)
  try {
    return await Promise.race([work, time.promise])
  } finally {
    clearTimeout(timer)
  }
}
