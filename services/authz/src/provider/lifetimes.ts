/** The lifetimes of artifacts that the authorization server issues and accepts (contract, "Artifact lifetimes"). */

import type { Clock } from '@financial-agents/runtime/clock'

const dayS = 86_400

export const accessTokenTtlS = 300
export const idTokenTtlS = 300
export const codeTtlS = 60
export const pushedRequestTtlS = 300
export const deviceCodeTtlS = 600

/**
 * The shortest interval between two polls of a device. A poll that arrives slightly early is accepted, because the
 * device sent it in time.
 */
export const devicePollIntervalS = 5
export const devicePollToleranceMs = 500

/** The time without use after which a refresh token ends, and its maximum lifetime. */
export const refreshIdleS = 30 * dayS
export const refreshAbsoluteS = 90 * dayS

/** A use prolongs a refresh token only after this part of its idle time, so that not every refresh is a write. */
export const refreshProlongAfterS = 3_600

/** The time for which a browser stays signed in without use, and the maximum. */
export const sessionIdleS = 3_600
export const sessionAbsoluteS = 12 * 3_600

/** Returns the end of a session that is used now and whose owner signed in at `loginTs` (seconds). */
export function sessionEnd(clock: Clock, loginTs = Number.POSITIVE_INFINITY, idleS = sessionIdleS): Date {
  return new Date(Math.min(clock.nowMs() + idleS * 1_000, (loginTs + sessionAbsoluteS) * 1_000))
}

/** The time that an owner has for one authorization. */
export const interactionTtlS = 3_600

/** The maximum lifetime of a client assertion. Its id must be remembered for as long. */
export const maxAssertionLifetimeS = 600

/** The tolerance for clients' clocks. */
export const clockToleranceS = 15

/** The ids of assertions and proofs are remembered until after the last moment at which either could be accepted. */
export const replayRetentionMs = (maxAssertionLifetimeS + 2 * clockToleranceS + 30) * 1_000

/** The bounds for a DPoP proof's `iat`, the same as at the gateway (decisions, "DPoP at the gateway"). */
export const maxProofAgeMs = 300_000
export const maxProofAheadMs = 60_000

/** The maximum age of the keys from a client's address, and the maximum while the address does not answer with keys. */
export const publishedKeysFreshMs = 60_000
export const publishedKeysKeptMs = publishedKeysFreshMs + 300_000
