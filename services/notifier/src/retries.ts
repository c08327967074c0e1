/** When a delivery is tried again: over three days, then no more. Jitter, so that what failed together does not come together. */

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** After each failed attempt. */
export const retryDelaysMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]

const jitter = 0.2

/** Undefined after the last one. @param attempts made so far, this one included. @param random from 0 to 1 */
export function retryDelayMs(attempts: number, random: number): number | undefined {
  const delayMs = retryDelaysMs[attempts - 1]
  return delayMs && Math.round(delayMs * (1 - jitter + 2 * jitter * random))
}

/** A delivery that could not even be tried for so long is given up: longer than all retries take. */
export const givenUpAfterMs = 5 * 24 * hourMs

const shortestWaitMs = 250
const longestWaitMs = 5 * minuteMs

/** Until a delivery is looked at again for which it was too early: a quarter of its age, so that it is soon while it is new. */
export function waitMs(ageMs: number): number {
  return Math.min(longestWaitMs, Math.max(shortestWaitMs, ageMs / 4))
}
