/** The operators' overview of operations: everything in flight, and the last 24 hours by hour. */

import type { OperationsOverview } from '@financial-agents/bus/messages/operator'
import type { FailureCode } from '@financial-agents/contract/failure-codes'
import {
  isTerminal,
  type OperationState,
  operationStates,
  type TerminalState,
} from '@financial-agents/contract/machine'
import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import {
  countCreated,
  countEnded,
  countFailures,
  countInFlight,
  type InFlightCount,
  listOldest,
  type Stretch,
} from '../store/overview.ts'

const hourMs = 3_600_000
const hoursShown = 24
const oldestShown = 20

/** One minute, five minutes, one hour, one day. */
const boundsS = [60, 300, 3_600, 86_400]

export function createOverview(db: Queryable, clock: Clock) {
  return async (): Promise<OperationsOverview> => {
    const now = clock.now()
    const dayAgo = new Date(now.getTime() - hoursShown * hourMs)
    const hours = hoursUntil(now)
    // The queries run one after the other: operators have few connections, and many operations may be in flight.
    const inFlight = await countInFlight(db, { now, boundsS })
    const oldest = await listOldest(db, oldestShown)
    const ended = await countEnded(db, hours)
    // The part of the 24 hours before the first hour that is shown.
    const early = await countEnded(db, [{ since: dayAgo, until: firstOf(hours) }])
    const created = await countCreated(db, hours)
    const failures = await countFailures(db, dayAgo)
    return {
      counts: countsOf(inFlight, [...ended, ...early]),
      ages: agesOf(inFlight),
      oldest,
      hours: hoursOf(hours, created, ended),
      failures: failuresOf([...failures, ...inFlight.filter(({ age }) => age < boundsS.length)]),
    }
  }
}

/** Whole hours (UTC), the current hour last. The current hour has no end, because other clocks may be ahead. */
function hoursUntil(now: Date): Stretch[] {
  const last = Math.floor(now.getTime() / hourMs)
  return Array.from({ length: hoursShown }, (_hour, index) => {
    const hour = last - hoursShown + 1 + index
    return { since: new Date(hour * hourMs), until: new Date((hour === last ? hour + hoursShown : hour + 1) * hourMs) }
  })
}

function firstOf([first]: readonly Stretch[]): Date {
  if (!first) throw new Error('there are no hours')
  return first.since
}

type Ended = Awaited<ReturnType<typeof countEnded>>
type Created = { since: Date; operations: number }

/** Lists every state, so that an empty state shows 0. */
function countsOf(inFlight: readonly InFlightCount[], ended: Ended): OperationsOverview['counts'] {
  const endedIn = (state: TerminalState) => ended.reduce((total, one) => total + one[state], 0)
  const countOf = (state: OperationState) =>
    isTerminal(state) ? endedIn(state) : sum(inFlight.filter((one) => one.state === state))
  return Object.fromEntries(operationStates.map((state) => [state, countOf(state)]))
}

function agesOf(inFlight: readonly InFlightCount[]): OperationsOverview['ages'] {
  const unsettled = operationStates.filter((state) => !isTerminal(state))
  return unsettled.flatMap((state) =>
    [...boundsS, null].map((under_seconds, age) => ({
      state,
      under_seconds,
      operations: sum(inFlight.filter((one) => one.state === state && one.age === age)),
    })),
  )
}

function hoursOf(hours: readonly Stretch[], created: readonly Created[], ended: Ended): OperationsOverview['hours'] {
  return hours.map(({ since }) => {
    const ofHour = (one: { since: Date }) => one.since.getTime() === since.getTime()
    const came = ended.find(ofHour)
    return {
      hour: since.toISOString(),
      created: sum(created.filter(ofHour)),
      succeeded: came?.succeeded ?? 0,
      failed: came?.failed ?? 0,
      cancelled: came?.cancelled ?? 0,
    }
  })
}

/** The failure codes, most frequent first. */
function failuresOf(counts: readonly { failure_code: FailureCode | null; operations: number }[]) {
  const known = counts.flatMap(({ failure_code, operations }) => (failure_code ? [{ failure_code, operations }] : []))
  return Array.from(
    Map.groupBy(known, ({ failure_code }) => failure_code),
    ([failure_code, of]) => ({ failure_code, operations: sum(of) }),
  ).toSorted((a, b) => b.operations - a.operations || (a.failure_code < b.failure_code ? -1 : 1))
}

function sum(counts: readonly { operations: number }[]): number {
  return counts.reduce((total, { operations }) => total + operations, 0)
}
