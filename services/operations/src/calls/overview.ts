/** What the operators' overview shows of operations: everything in flight, and the last 24 hours hour by hour. */

import type { OperationsOverview } from '@financial-agents/bus/messages/operator'
import type { FailureCode } from '@financial-agents/contract/failure-codes'
import { isTerminal, operationStates } from '@financial-agents/operation-machine/machine'
import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import {
  countCreated,
  countEnded,
  countFailures,
  countInFlight,
  type InFlightCount,
  listOldest,
} from '../store/overview.ts'

const hourMs = 3_600_000
const hoursShown = 24
const oldestShown = 20

/** A minute, five, an hour, a day. */
const boundsS = [60, 300, 3_600, 86_400]

export function createOverview(db: Queryable, clock: Clock) {
  return async (): Promise<OperationsOverview> => {
    const now = clock.now()
    const dayAgo = new Date(now.getTime() - hoursShown * hourMs)
    const firstHour = new Date(Math.floor(now.getTime() / hourMs - hoursShown + 1) * hourMs)
    const [inFlight, oldest, ended, created, failures] = await Promise.all([
      countInFlight(db, { now, boundsS, since: firstHour }),
      listOldest(db, oldestShown),
      countEnded(db, dayAgo),
      countCreated(db, firstHour),
      countFailures(db, dayAgo),
    ])
    return {
      counts: countsOf(inFlight, ended),
      ages: agesOf(inFlight),
      oldest,
      hours: hoursOf(firstHour, [...created, ...inFlight], ended),
      failures: failuresOf([...failures, ...inFlight.filter(({ age }) => age < boundsS.length)]),
    }
  }
}

type Ended = Awaited<ReturnType<typeof countEnded>>
type Created = { hour: Date | null; operations: number }

/** Every state, so that what there is none of is seen to be none. */
function countsOf(inFlight: readonly InFlightCount[], ended: Ended): OperationsOverview['counts'] {
  const all = [...inFlight, ...ended.map(({ outcome, operations }) => ({ state: outcome, operations }))]
  return Object.fromEntries(operationStates.map((state) => [state, sum(all.filter((one) => one.state === state))]))
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

function hoursOf(first: Date, created: readonly Created[], ended: Ended): OperationsOverview['hours'] {
  return Array.from({ length: hoursShown }, (_hour, index) => {
    const startsMs = first.getTime() + index * hourMs
    const inHour = <Count extends Created>(counts: readonly Count[]) =>
      counts.filter(({ hour }) => hour?.getTime() === startsMs)
    const came = inHour(ended)
    return {
      hour: new Date(startsMs).toISOString(),
      created: sum(inHour(created)),
      succeeded: sum(came.filter(({ outcome }) => outcome === 'succeeded')),
      failed: sum(came.filter(({ outcome }) => outcome === 'failed')),
      cancelled: sum(came.filter(({ outcome }) => outcome === 'cancelled')),
    }
  })
}

/** Most frequent first. */
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
