/** The lanes of a replica. Each counts its transactions with a writer of its own, one at a time. */

import { setTimeout as delay } from 'node:timers/promises'
import { Conflict, type Registers } from '@financial-agents/bus/registers'
import type { Database } from '@financial-agents/postgres/database'
import type { Log } from '@financial-agents/runtime/log'
import type { Epoch } from './epoch.ts'
import type { Joined, Writer } from './join.ts'
import { recordSeen } from './store.ts'
import { type GuardedSchema, type MarkEntry, markOf } from './subjects.ts'

/** The result of one join. Nothing is written with it once it has ended. */
export type Session = {
  ended: boolean
  epoch: Epoch
  made: string
  recoveryPoint: Date | undefined
  /** A transaction was counted, so the database was the same one then. */
  hasCounted: boolean
}

export type Lane = Writer & {
  session: Session
  /** The number of its last transaction that was committed. Another one may be under way. */
  committed: number
  marksLater?: true
}

/** The lanes that no transaction uses. */
export function createLanes() {
  let free: Lane[] = []
  const waiting: PromiseWithResolvers<Lane>[] = []
  const giveBack = (lane: Lane) => {
    if (lane.session.ended) return
    const next = waiting.shift()
    if (next) next.resolve(lane)
    else free.push(lane)
  }
  return {
    take: (): Promise<Lane> => {
      const lane = free.pop()
      if (lane) return Promise.resolve(lane)
      const next = Promise.withResolvers<Lane>()
      waiting.push(next)
      return next.promise
    },
    giveBack,
    /** Replaces all lanes. */
    open: ({ writers, epoch, made, recoveryPoint }: Joined): Session => {
      const session = { ended: false, epoch, made, recoveryPoint: recoveryPoint ?? undefined, hasCounted: true }
      free = []
      for (const writer of writers) giveBack({ ...writer, committed: writer.number, session })
      return session
    },
    /** Ends all lanes. Whoever waits for one gets `error`. */
    close: (error: Error) => {
      free = []
      for (const { reject } of waiting.splice(0)) reject(error)
    },
  }
}

const retryMs = 50

export type Marking = {
  db: Database
  registers: Registers
  schema: GuardedSchema
  log: Log
  now: () => Date
}

/** Marks the lane's last commit, again while no answer comes. Returns false if that is refused, or not answered until then. */
export async function mark(marking: Marking, lane: Lane, until: number): Promise<boolean> {
  for (;;) {
    try {
      return await markOnce(marking, lane)
    } catch (error) {
      marking.log.debug({ err: error }, 'a mark was not answered')
      if (performance.now() > until || lane.session.ended) return false
      await delay(retryMs)
    }
  }
}

async function markOnce(marking: Marking, lane: Lane): Promise<boolean> {
  const number = lane.committed
  const { db, registers, schema, now } = marking
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
    await recordSeen(db, lane.session.made, lane.sequence)
    return false
  }
  if (found.value.sealed !== undefined) return false
  lane.sequence = found.sequence
  return found.value.number === number || markOnce(marking, lane)
}
