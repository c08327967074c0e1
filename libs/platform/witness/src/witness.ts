/**
 * Guards the transactions of one schema: each is counted in the database and, after its commit, marked in the witness. A service
 * joins at its start. It joins again when PostgreSQL has begun another epoch, or when another replica sealed its marks.
 *
 * Invariant: while the witness is closed, no transaction is counted. `record` says that a transaction is witnessed only after the
 * witness has a mark of it, or one that was recorded in the same database after it.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from '@financial-agents/bus/connect'
import type { Recovered } from '@financial-agents/bus/messages/witness'
import type { Database } from '@financial-agents/postgres/database'
import { sqlStateOf } from '@financial-agents/postgres/errors'
import type { Log } from '@financial-agents/runtime/log'
import { findClockDifference } from './clock.ts'
import { type Closed, WritesClosed } from './closed.ts'
import { type Lane, mark } from './lanes.ts'
import { recover } from './recover.ts'
import { startSessions } from './sessions.ts'
import { notVerified } from './store.ts'
import type { GuardedSchema } from './subjects.ts'

/** The values with which a transaction calls the schema's function `mark`. */
export type Mark = readonly [writer: string, number: number, sequence: number]

export type Witness = {
  /**
   * Calls `commit` with the function that gives the mark which its transaction counts, and with the recovery point that it obeys. Then
   * waits until the witness has the mark, at most `withinMs`; with 0 the mark follows later, and `witnessed` is false. A `commit` that
   * takes no mark is not counted.
   * @throws WritesClosed if nothing may be written; the error of `commit`
   */
  record<Result>(
    commit: (mark: () => Mark, recoveryPoint: Date | undefined) => Promise<Result>,
    withinMs: number,
  ): Promise<{ result: Result; witnessed: boolean }>
  /** Why nothing is written; undefined if the database is proven to be the newest. */
  closed(): Closed | undefined
  /** Resolves when writes are open. */
  opened(): Promise<unknown>
  /** Opens the schema after a loss, for an operator, unless clocks differ or `refuses` says why not. @throws Unavailable */
  recover(refuses?: () => Promise<string | undefined>): Promise<Recovered>
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

/** A mark for which nobody waits is the last of all that were made in this time. */
const lagMs = 100

export function startWitness({ bus, ...options }: WitnessOptions): Witness {
  const marking = { ...options, registers: bus.registers }
  const sessions = startSessions({ ...marking, hear: bus.hear })

  async function markOrEnd(lane: Lane, until: number): Promise<boolean> {
    if (await mark(marking, lane, until)) return true
    sessions.end(lane.session)
    return false
  }

  /**
   * True once the witness has the lane's number. If its mark is refused, for example because the witness was lost, a new session under
   * the same epoch is as good: its first mark was recorded in the database after the commit of this transaction, so whatever loses
   * this one loses that one too. After a recovery it is not: the transaction did not obey the recovery point.
   */
  async function isWitnessed(lane: Lane, until: number): Promise<boolean> {
    if (await markOrEnd(lane, until)) return true
    const late = delay(Math.max(0, until - performance.now()), undefined, { ref: false })
    const next = await Promise.race([sessions.opened(), late])
    const { epoch, recoveryPoint } = lane.session
    return next?.epoch === epoch && next.recoveryPoint?.getTime() === recoveryPoint?.getTime()
  }

  async function markLater(lane: Lane): Promise<void> {
    if (lane.marksLater) return
    lane.marksLater = true
    await delay(lagMs)
    delete lane.marksLater
    if (!lane.session.ended) await markOrEnd(lane, Number.POSITIVE_INFINITY)
  }

  return {
    record: async (commit, withinMs) => {
      const lane = await sessions.take()
      try {
        let counted = false
        const next = (): Mark => {
          counted = true
          lane.number += 1
          return [lane.id, lane.number, lane.sequence]
        }
        const result = await commit(next, lane.session.recoveryPoint)
        if (!counted) return { result, witnessed: false }
        lane.session.hasCounted = true
        lane.committed = lane.number
        if (withinMs > 0) return { result, witnessed: await isWitnessed(lane, performance.now() + withinMs) }
        void markLater(lane)
        return { result, witnessed: false }
      } catch (error) {
        if (sqlStateOf(error) !== notVerified) throw error
        throw new WritesClosed(sessions.end(lane.session))
      } finally {
        sessions.giveBack(lane)
      }
    },
    closed: () => sessions.closed(),
    opened: () => sessions.opened(),
    recover: async (refuses) => {
      const refused = (await findClockDifference(marking.db, marking.now)) ?? (await refuses?.())
      if (refused) return { refused }
      const point = await recover(marking)
      sessions.end()
      return { recovery_point: point.toISOString() }
    },
    check: async () => {
      const closed = sessions.closed()
      if (closed) throw new WritesClosed(closed)
    },
    stop: () => sessions.stop(),
  }
}
