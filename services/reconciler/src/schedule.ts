/** The schedule of reads: the pauses grow to one hour, and reads never stop (decisions §6). */

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

const delaysMs = [
  secondMs,
  2 * secondMs,
  5 * secondMs,
  15 * secondMs,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  hourMs,
] as const

const jitter = 0.2

/**
 * The pause before the next read, in milliseconds, varied by ±20 %.
 * @param reads number of reads made so far
 * @param random in [0, 1)
 */
export function pauseBeforeReadMs(reads: number, random: number): number {
  const delayMs = delaysMs[Math.min(reads, delaysMs.length - 1)] ?? hourMs
  return Math.round(delayMs * (1 - jitter + 2 * jitter * random))
}
