/** The process's clock. Everything that decides by time asks it, so that tests can move it. */

export type Clock = {
  nowMs(): number
  now(): Date
}

export type MovableClock = Clock & { setOffsetMs(offsetMs: number): void }

/** A clock that follows the system's, ahead by an offset that starts at 0. */
export function createClock(): MovableClock {
  let offsetMs = 0
  const nowMs = () => Date.now() + offsetMs
  return {
    nowMs,
    now: () => new Date(nowMs()),
    setOffsetMs: (value) => {
      offsetMs = value
    },
  }
}
