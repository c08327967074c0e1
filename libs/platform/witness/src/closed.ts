/** Why a service writes nothing that a lost database could make it do twice. */

import { closedReasons, type WitnessReport } from '@financial-agents/bus/messages/witness'
import type { Log } from '@financial-agents/runtime/log'
import { observe } from '@financial-agents/runtime/metrics/metrics'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { Refusal } from './join.ts'
import type { Loss } from './losses.ts'
import type { GuardedSchema } from './subjects.ts'

/** The reason of a service, and since when. */
export type Closed = { since: Date } & (
  | Refusal
  | { reason: 'starting' }
  | { reason: 'unreachable' }
  | { reason: 'elsewhere'; loss: Loss }
)

/** Nothing was written: it is not proven that the database is the newest one. */
export class WritesClosed extends Unavailable {
  override readonly name = 'WritesClosed'
  readonly closed: Closed
  constructor(closed: Closed) {
    super(`nothing is written until the database is proven to be the newest (${closed.reason})`)
    this.closed = closed
  }
}

/** As the service answers an operator. */
export function reportOf(closed: Closed | undefined): WitnessReport {
  if (!closed) return null
  const { reason, since } = closed
  const lost = reason === 'elsewhere' ? closed.loss : reason === 'loss' ? closed : undefined
  return {
    reason,
    since: since.toISOString(),
    from: lost?.from?.toISOString() ?? null,
    to: lost?.to?.toISOString() ?? null,
    transactions: lost?.transactions ?? null,
  }
}

type DistributiveOmit<Type, Name extends PropertyKey> = Type extends unknown ? Omit<Type, Name> : never

/** Keeps why the writes of a schema are closed, and reports it. They are closed at first. */
export function createDoor({ schema, log, now }: { schema: GuardedSchema; log: Log; now: () => Date }) {
  let closed: Closed | undefined = { reason: 'starting', since: now() }
  const unobserve = observe(() =>
    closedReasons.map((reason) => [
      'financial_agents.witness.closed',
      closed?.reason === reason ? 1 : 0,
      { schema, reason },
    ]),
  )
  return {
    closed: () => closed,
    /** Closes, or gives another reason. They are closed since they were closed first. */
    close: (reason: DistributiveOmit<Closed, 'since'>): Closed => {
      if (closed?.reason !== reason.reason)
        log.warn({ schema, ...reason }, 'nothing is written until the database is proven to be the newest')
      closed = { ...reason, since: closed?.since ?? now() }
      return closed
    },
    open: () => {
      if (closed) log.info({ schema, since: closed.since }, 'the database is proven to be the newest')
      closed = undefined
    },
    stop: unobserve,
  }
}
