/**
 * Guards the transactions of one schema: each is counted in the database and, after its commit, marked in the witness. A service
 * joins at its start. It joins again when PostgreSQL has begun another epoch, or when another replica sealed its marks.
 *
 * Invariant: while the witness is closed, no transaction is counted. `record` says that a transaction is witnessed only after the
 * witness has acknowledged a mark of it or of a later one of the same writer.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from '@financial-agents/bus/connect'
import { Conflict } from '@financial-agents/bus/registers'
import type { Database } from '@financial-agents/postgres/database'
import { sqlStateOf } from '@financial-agents/postgres/errors'
import type { Log } from '@financial-agents/runtime/log'
import { observe } from '@financial-agents/runtime/metrics/metrics'
import { repeat } from '@financial-agents/runtime/repeat'
import { type Closed, closedReasons, WritesClosed } from './closed.ts'
import type { Epoch } from './epoch.ts'
import { join, Refused, type Writer } from './join.ts'
import { findLosses, reportLoss, watchLosses } from './losses.ts'
import { notVerified, recordSeen } from './store.ts'
import { type GuardedSchema, type MarkEntry, markOf } from './subjects.ts'

/** The values with which a transaction calls the schema's function `mark`. */
export type Mark = readonly [writer: string, number: number, sequence: number]

export type Witness = {
  /**
   * Calls `commit` with the mark that its transaction counts and with the recovery point that it obeys. Then waits until the witness has it, at most `withinMs`; with 0 the mark
   * follows later, and `witnessed` is false.
   * @throws WritesClosed if nothing may be written; the error of `commit`
   */
  record<Result>(
    commit: (mark: Mark, recoveryPoint: Date | undefined) => Promise<Result>,
    withinMs: number,
  ): Promise<{ result: Result; witnessed: boolean }>
  /** Why nothing is written; undefined if the database is proven to be the newest. */
  closed(): Closed | undefined
  /** Joins again at once. Until then nothing is written. */
  joinAgain(): void
  /** For `/ready`. @throws WritesClosed */
  check(): Promise<void>
  stop(): Promise<void>
}

export type WitnessOptions = {
  db: Database
  bus: Pick<Bus, 'registers' | 'hear'>
  schema: GuardedSchema
  log: Log
  now: () => Date
  /** The number of transactions at the same time. */
  lanes: number
}

const pauseMs = 1_000
const retryMs = 50
/** A mark for which nobody waits is the last of all that were made in this time. */
const lagMs = 100

/** What one join has brought. Nothing is written with it once it has ended. */
type Session = { ended: boolean; epoch: Epoch; made: string; recoveryPoint: Date | undefined; free: Lane[] }

/** A writer of ours. One transaction at a time counts with it. */
type Lane = Writer & { session: Session; marksLater?: true }

export function startWitness(options: WitnessOptions): Witness {
  const { schema, log, now } = options
  const { registers } = options.bus
  let closed: Closed | undefined = { reason: 'starting', since: now() }
  let session: Session | undefined
  let stopped = false
  const started = Promise.withResolvers<void>()
  /** The next session. */
  let opened = Promise.withResolvers<Session>()
  const waiting: PromiseWithResolvers<Lane>[] = []

  function close(reason: DistributiveOmit<Closed, 'since'>): void {
    if (closed?.reason !== reason.reason)
      log.warn(reason, 'nothing is written until the database is proven to be the newest')
    closed = { ...reason, since: closed?.since ?? now() } as Closed
    for (const { reject } of waiting.splice(0)) reject(new WritesClosed(closed))
  }

  function end(of: Session | undefined, reason: DistributiveOmit<Closed, 'since'>): void {
    if (!of || of.ended) return
    of.ended = true
    opened = Promise.withResolvers()
    close(reason)
    joining.wake()
  }

  async function open(): Promise<void> {
    const { writers, recoveryPoint, ...joined } = await join({ ...options, registers })
    const next: Session = { ...joined, ended: false, recoveryPoint: recoveryPoint ?? undefined, free: [] }
    next.free = writers.map((writer) => ({ ...writer, session: next }))
    session = next
    opened.resolve(next)
    log.info({ schema }, 'the database is proven to be the newest')
    closed = undefined
  }

  async function joinOnce(): Promise<void> {
    if (session && !session.ended) return
    try {
      const elsewhere = (await findLosses(registers)).find((loss) => loss.schema !== schema)
      if (elsewhere) close({ reason: 'elsewhere', loss: elsewhere })
      else await open()
    } catch (error) {
      if (error instanceof Refused) {
        close(error.refusal)
        if (error.refusal.reason === 'loss') await reportLoss(registers, schema, error.refusal, now())
      } else {
        close({ reason: closed?.reason === 'starting' ? 'starting' : 'unreachable' })
        if (!(error instanceof Conflict)) log.warn({ err: error }, 'the database is not compared with its witness yet')
      }
    } finally {
      started.resolve()
    }
  }
  const joining = repeat({ name: 'witness', pauseMs, log, work: joinOnce })

  async function take(): Promise<Lane> {
    if (closed?.reason === 'starting') await started.promise
    if (closed || !session) throw new WritesClosed(closed as Closed)
    const free = session.free.pop()
    if (free) return free
    const next = Promise.withResolvers<Lane>()
    waiting.push(next)
    return next.promise
  }

  function giveBack(lane: Lane): void {
    if (lane.session.ended) return
    const next = waiting.shift()
    if (next) next.resolve(lane)
    else lane.session.free.push(lane)
  }

  /** Writes the lane's number into its register. Returns false if that was refused: the lane ends. */
  async function markOnce(lane: Lane): Promise<boolean> {
    const { number } = lane
    const subject = markOf(schema, lane.id)
    try {
      const value: MarkEntry = { number, at: now().toISOString() }
      lane.sequence = await registers.write(subject, value, lane.sequence)
      return true
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
    }
    // An earlier write of ours may have arrived without an answer.
    const found = await registers.read<MarkEntry>(subject)
    if (!found || found.sequence < lane.sequence) {
      await recordSeen(options.db, lane.session.made, lane.sequence)
      return false
    }
    if (found.value.sealed !== undefined) return false
    lane.sequence = found.sequence
    return found.value.number === number || markOnce(lane)
  }

  /** Marks the lane's number, again while no answer comes. Returns false, and ends the session, if that cannot be. */
  async function mark(lane: Lane, until: number): Promise<boolean> {
    for (;;) {
      try {
        if (await markOnce(lane)) return true
        break
      } catch (error) {
        if (performance.now() > until || lane.session.ended || stopped) {
          log.warn({ err: error }, 'a mark could not be made')
          break
        }
        log.debug({ err: error }, 'a mark is made again')
        await delay(retryMs)
      }
    }
    end(lane.session, { reason: 'unreachable' })
    return false
  }

  /**
   * True once the witness has the lane's number. If its mark is refused, for example because the witness was lost, a new session under
   * the same epoch is as good: the first mark of that session was recorded in the database after the commit of this transaction, so
   * whatever loses this one loses that one too.
   */
  async function isWitnessed(lane: Lane, until: number): Promise<boolean> {
    if (await mark(lane, until)) return true
    const next = await Promise.race([
      opened.promise,
      delay(Math.max(0, until - performance.now()), undefined, { ref: false }),
    ])
    return next?.epoch === lane.session.epoch
  }

  async function markLater(lane: Lane): Promise<void> {
    if (lane.marksLater) return
    lane.marksLater = true
    await delay(lagMs)
    delete lane.marksLater
    if (!lane.session.ended) await mark(lane, Number.POSITIVE_INFINITY)
  }

  watchLosses(options.bus, (from, loss) => {
    if (loss && from !== schema) end(session, { reason: 'elsewhere', loss })
    else joining.wake()
  })
  const unobserve = observe(() =>
    closedReasons.map((reason) => [
      'financial_agents.witness.closed',
      closed?.reason === reason ? 1 : 0,
      { schema, reason },
    ]),
  )
  return {
    record: async (commit, withinMs) => {
      const lane = await take()
      try {
        lane.number += 1
        const result = await commit([lane.id, lane.number, lane.sequence], lane.session.recoveryPoint)
        if (withinMs > 0) return { result, witnessed: await isWitnessed(lane, performance.now() + withinMs) }
        void markLater(lane)
        return { result, witnessed: false }
      } catch (error) {
        if (sqlStateOf(error) !== notVerified) throw error
        end(lane.session, { reason: 'unreachable' })
        throw new WritesClosed(closed as Closed)
      } finally {
        giveBack(lane)
      }
    },
    closed: () => closed,
    joinAgain: () => {
      end(session, { reason: 'unreachable' })
      joining.wake()
    },
    check: async () => {
      if (closed) throw new WritesClosed(closed)
    },
    stop: async () => {
      stopped = true
      unobserve()
      await joining.stop()
    },
  }
}

type DistributiveOmit<Type, Name extends PropertyKey> = Type extends unknown ? Omit<Type, Name> : never
