/**
 * The sessions of a replica, one after the other. A session begins when the replica has joined. It ends when the database or the witness
 * refuses one of its transactions, or when the database is another than the one that was joined; until the next one begins, the witness
 * is closed.
 */

import { Conflict } from '@financial-agents/bus/registers'
import { repeat } from '@financial-agents/runtime/repeat'
import { type Closed, createDoor, WritesClosed } from './closed.ts'
import { join, Refused } from './join.ts'
import { createLanes, type Lane, type Marking, type Session } from './lanes.ts'
import { findLosses, reportLoss, watchLosses } from './losses.ts'
import { findKnown } from './store.ts'

const pauseMs = 1_000

type Reason = Parameters<ReturnType<typeof createDoor>['close']>[0]

export type SessionOptions = Marking & { lanes: number; hear: Parameters<typeof watchLosses>[0]['hear'] }

export function startSessions(options: SessionOptions) {
  const { schema, log, now, registers } = options
  const lanes = createLanes()
  const door = createDoor(options)
  let session: Session | undefined
  const started = Promise.withResolvers<void>()
  /** The next session. */
  let opened = Promise.withResolvers<Session>()

  function close(reason: Reason): void {
    lanes.close(new WritesClosed(door.close(reason)))
  }

  function end(of: Session | undefined, reason: Reason): void {
    if (!of || of.ended) return
    of.ended = true
    opened = Promise.withResolvers()
    close(reason)
    joining.wake()
  }

  /** Returns true if it should be tried again at once: somebody else has joined meanwhile. */
  async function joinOnce(): Promise<boolean> {
    if (session && !session.ended && !(await isOther(options, session))) return false
    end(session, { reason: 'unreachable' })
    try {
      const elsewhere = (await findLosses(registers)).find((loss) => loss.schema !== schema)
      if (elsewhere) close({ reason: 'elsewhere', loss: elsewhere })
      else {
        session = lanes.open(await join(options))
        door.open()
        opened.resolve(session)
      }
    } catch (error) {
      if (error instanceof Conflict) return true
      if (error instanceof Refused) {
        close(error.refusal)
        if (error.refusal.reason === 'loss') await reportLoss(registers, schema, error.refusal, now())
      } else {
        close({ reason: door.closed()?.reason === 'starting' ? 'starting' : 'unreachable' })
        log.warn({ err: error }, 'the database is not compared with its witness yet')
      }
    }
    started.resolve()
    return false
  }
  const joining = repeat({ name: 'witness', pauseMs, log, work: joinOnce })

  async function take(): Promise<Lane> {
    if (door.closed()?.reason === 'starting') await started.promise
    const closed = door.closed()
    if (closed) throw new WritesClosed(closed)
    return lanes.take()
  }

  watchLosses(options, (from, loss) => {
    if (loss && from !== schema) end(session, { reason: 'elsewhere', loss })
    else joining.wake()
  })
  return {
    take,
    giveBack: (lane: Lane) => lanes.giveBack(lane),
    /** Ends a session, if it has not ended. Why its writes are closed. */
    end: (of: Session | undefined = session): Closed => {
      end(of, { reason: 'unreachable' })
      joining.wake()
      // The session may have ended long ago and the next one be open: then the door stays open.
      return door.closed() ?? { reason: 'unreachable', since: now() }
    },
    /** Resolves with the next session; with the current one, if it has not ended. */
    opened: () => opened.promise,
    closed: () => door.closed(),
    stop: async () => {
      door.stop()
      if (session) session.ended = true
      await joining.stop()
    },
  }
}

/** True if the database is another one by now, which a session without work would not notice. */
async function isOther({ db, log }: Marking, session: Session): Promise<boolean> {
  if (session.hasCounted) {
    session.hasCounted = false
    return false
  }
  try {
    const { epoch, made } = await findKnown(db)
    return epoch !== session.epoch || made !== session.made
  } catch (error) {
    log.debug({ err: error }, 'the database does not say which one it is')
    return false
  }
}
