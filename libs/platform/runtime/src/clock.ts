/** The clock of a service. All decisions about time use it, so that tests can move it. */

import { perInstance } from './instance.ts'

export type Clock = {
  nowMs(): number
  now(): Date
}

/** A clock that tests can move. */
export type MovableClock = Clock & { setOffsetMs(offsetMs: number): void }

const SystemDate = globalThis.Date

/** Creates a clock that follows the system's clock, plus an offset that starts at 0. */
export function createClock(): MovableClock {
  return movable(() => SystemDate.now())
}

/** Creates a clock that moves only when a test moves it. */
export function createFrozenClock(): MovableClock {
  const startedAtMs = SystemDate.now()
  return movable(() => startedAtMs)
}

function movable(baseMs: () => number): MovableClock {
  let offsetMs = 0
  const nowMs = () => baseMs() + offsetMs
  return {
    nowMs,
    now: () => new Date(nowMs()),
    setOffsetMs: (value) => {
      offsetMs = value
    },
  }
}

const dateClock = perInstance('date', (): { clock?: Clock } => ({}))

/**
 * For development and tests: makes the global `Date` follow `clock` in this service, whose libraries read the system's
 * time. Timers are not affected.
 */
export function moveDateWith(clock: Clock): void {
  dateClock().clock = clock
  const now = () => dateClock().clock?.nowMs() ?? SystemDate.now()
  globalThis.Date = new Proxy(SystemDate, {
    construct: (target, args: [], newTarget): Date =>
      Reflect.construct(target, args.length > 0 ? args : [now()], newTarget) as Date,
    apply: () => new SystemDate(now()).toString(),
    get: (target, name, receiver): unknown => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  })
}
