/**
 * The sessions of a replica, one after the other. A session begins when the replica has joined. It ends when the database or the witness
 * refuses one of its transactions, or when the database is another than the one that was joined; until the next one begins, the witness
 * is closed.
 */

import { Conflict } from '@financial-agents/bus/registers'
import { repeat } from '@financial-agents/runtime/repeat'
import { type Closed, createDoor, WritesClosed } from './closed.ts'
import { type Joined, join, Refused } from './join.ts'
import { createLanes, type Lane, type Marking, type Session } from './lanes.ts'
import { createLosses, watchLosses } from './losses.ts'
import { findKnown } from './store.ts'

const pauseMs = 1_000

type Reason = Parameters<ReturnType<typeof createDoor>['close']>[0]

export type SessionOptions = Marking & { lanes: number; hear: Parameters<typeof watchLosses>[0]['hear'] }

export function startSessions(options: SessionOptions) {
  const { schema, log, now } = options
  const losses = createLosses(options)
  const entrance = createEntrance(options)
  const started = Promise.withResolvers<void>()
  /** A loss was reported since the last attempt. */
  let doubted = false

  async function joinIfProven(): Promise<void> {
    const { own, elsewhere } = await losses.find()
    if (own || !elsewhere) {
      const joined = await join(options)
      await losses.takeBack()
      if (!elsewhere) entrance.open(joined)
    }
    if (elsewhere) entrance.close({ reason: 'elsewhere', loss: elsewhere })
  }

  async function closeFor(error: unknown): Promise<void> {
    if (error instanceof Refused) {
      entrance.close(error.refusal)
      if (error.refusal.reason === 'loss') await losses.report(error.refusal)
    } else {
      entrance.close({ reason: entrance.closed()?.reason === 'starting' ? 'starting' : 'unreachable' })
      log.warn({ err: error }, 'the database is not compared with its witness yet')
    }
  }

  /** Returns true if it should be tried again at once: somebody else has joined meanwhile. */
  async function joinOnce(): Promise<boolean> {
    const isDoubted = doubted
    doubted = false
    const session = entrance.session()
    if (session && !session.ended && !isDoubted && !(await isOther(options, session))) return false
    entrance.end(session, { reason: 'unreachable' })
    try {
      await joinIfProven()
    } catch (error) {
      if (error instanceof Conflict) return true
      await closeFor(error)
    }
    started.resolve()
    return false
  }
  const joining = repeat({ name: 'witness', pauseMs, log, work: joinOnce })

  watchLosses(options, (from, loss) => {
    // A loss of its own schema makes it prove its database again: that of another replica may be an older copy.
    doubted ||= loss !== null
    if (loss && from !== schema) entrance.end(entrance.session(), { reason: 'elsewhere', loss })
    joining.wake()
  })
  return {
    take: async (): Promise<Lane> => {
      if (entrance.closed()?.reason === 'starting') await started.promise
      return entrance.take()
    },
    giveBack: entrance.giveBack,
    /** Ends a session, if it has not ended. Why its writes are closed. */
    end: (of: Session | undefined = entrance.session()): Closed => {
      entrance.end(of, { reason: 'unreachable' })
      joining.wake()
      // The session may have ended long ago and the next one be open: then the door stays open.
      return entrance.closed() ?? { reason: 'unreachable', since: now() }
    },
    opened: entrance.opened,
    closed: entrance.closed,
    stop: async () => {
      entrance.stop()
      await joining.stop()
    },
  }
}

/** The session, with its lanes and the door that it opens. */
function createEntrance(options: Parameters<typeof createDoor>[0]) {
  const lanes = createLanes()
  const door = createDoor(options)
  let session: Session | undefined
  let opened = Promise.withResolvers<Session>()
  const close = (reason: Reason) => lanes.close(new WritesClosed(door.close(reason)))
  return {
    session: () => session,
    open: (joined: Joined) => {
      session = lanes.open(joined)
      door.open()
      opened.resolve(session)
    },
    close,
    /** Ends a session, if it has not ended. */
    end: (of: Session | undefined, reason: Reason) => {
      if (!of || of.ended) return
      of.ended = true
      opened = Promise.withResolvers()
      close(reason)
    },
    /** @throws WritesClosed */
    take: (): Promise<Lane> => {
      const closed = door.closed()
      if (closed) throw new WritesClosed(closed)
      return lanes.take()
    },
    giveBack: (lane: Lane) => lanes.giveBack(lane),
    closed: () => door.closed(),
    /** Resolves with the next session; with the current one, if it has not ended. */
    opened: () => opened.promise,
    stop: () => {
      door.stop()
      if (session) session.ended = true
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
