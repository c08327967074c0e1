/** The times of retries: over three days, then no more. Jitter separates deliveries that failed together. */

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** The delay after each failed attempt. */
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

/**
 * Returns undefined after the last attempt.
 * @param attempts made so far, this one included
 * @param random from 0 to 1
 */
export function retryDelayMs(attempts: number, random: number): number | undefined {
  const delayMs = retryDelaysMs[attempts - 1]
  return delayMs && Math.round(delayMs * (1 - jitter + 2 * jitter * random))
}

/** A delivery that could never be attempted is given up at this age, which is longer than all retries take. */
export const givenUpAfterMs = 5 * 24 * hourMs

const shortestWaitMs = 250
const longestWaitMs = 5 * minuteMs

/**
 * The delay after which a delivery that came too early is looked at again: a quarter of its age, so that a new delivery is
 * looked at again soon.
 */
export function waitMs(ageMs: number): number {
  return Math.min(longestWaitMs, Math.max(shortestWaitMs, ageMs / 4))
}
