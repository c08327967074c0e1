/** The process's clock. Everything that decides by time asks it, so that tests can move it. */

/** The time of a process; whatever decides by time asks it. */
export type Clock = {
  nowMs(): number
  now(): Date
}

/** A clock that tests move. */
export type MovableClock = Clock & { setOffsetMs(offsetMs: number): void }

const SystemDate = globalThis.Date

/** A clock that follows the system's, ahead by an offset that starts at 0. */
export function createClock(): MovableClock {
  let offsetMs = 0
  const nowMs = () => SystemDate.now() + offsetMs
  return {
    nowMs,
    now: () => new Date(nowMs()),
    setOffsetMs: (value) => {
      offsetMs = value
    },
  }
}

/**
 * Development and tests: from now on `Date` tells the time of `clock`, for a process whose libraries ask the system's time
 * themselves. Timers go on as they are.
 */
export function moveDateWith(clock: Clock): void {
  const now = () => clock.nowMs()
  globalThis.Date = new Proxy(SystemDate, {
    construct: (target, args: [], newTarget): Date =>
      Reflect.construct(target, args.length > 0 ? args : [now()], newTarget) as Date,
    apply: () => new SystemDate(now()).toString(),
    get: (target, name, receiver): unknown => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  })
}
