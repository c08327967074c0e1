/**
 * The server's time, learnt from `Date` headers. Proofs and client assertions carry it, so that they are accepted although this
 * machine's clock is wrong.
 */

/** Smaller differences come from the rounding of `Date` and from delay. */
const toleranceMs = 2_500

/** The time of the server. */
export type Clock = {
  /** The time now, in milliseconds since 1970. */
  now: () => number
  /** The difference to this machine's clock, in whole seconds; positive if this machine is behind. */
  skewS: () => number
  /** Learns from a response that was asked for at `sentAtMs`. True if the known difference changed. */
  learn: (headers: Headers, sentAtMs: number, receivedAtMs?: number) => boolean
}

/** Creates a clock that trusts this machine until it has seen a response. */
export function createClock(): Clock {
  let skewMs = 0
  return {
    now: () => Date.now() + skewMs,
    skewS: () => Math.round(skewMs / 1_000),
    learn: (headers, sentAtMs, receivedAtMs = Date.now()) => {
      const dateMs = Date.parse(headers.get('date') ?? '')
      if (Number.isNaN(dateMs)) return false
      // The header has whole seconds, and was written between sending and receiving.
      const seenMs = dateMs + 500 - (sentAtMs + receivedAtMs) / 2
      if (Math.abs(seenMs - skewMs) < toleranceMs) return false
      skewMs = Math.abs(seenMs) < toleranceMs ? 0 : seenMs
      return true
    },
  }
}
