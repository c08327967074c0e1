/** Lifetimes of what the authorization server issues and accepts (contract, "Artifact lifetimes"). */

import type { Clock } from '@financial-agents/runtime/clock'

const dayS = 86_400

export const accessTokenTtlS = 300
export const idTokenTtlS = 300
export const codeTtlS = 60
export const pushedRequestTtlS = 300
export const deviceCodeTtlS = 600

/** A device asks no more often; what arrives a little early was sent in time. */
export const devicePollIntervalS = 5
export const devicePollToleranceMs = 500

/** A refresh token ends when it was not used for so long, and at the latest so long after it was issued. */
export const refreshIdleS = 30 * dayS
export const refreshAbsoluteS = 90 * dayS

/** Use prolongs a refresh token only once so much of its idle time has passed: not every refresh is a write. */
export const refreshProlongAfterS = 3_600

/** How long a browser stays signed in without use, and at the most. */
export const sessionIdleS = 3_600
export const sessionAbsoluteS = 12 * 3_600

/** When a session that is used now ends, where its owner signed in at `loginTs` (seconds). */
export function sessionEnd(clock: Clock, loginTs = Number.POSITIVE_INFINITY, idleS = sessionIdleS): Date {
  return new Date(Math.min(clock.nowMs() + idleS * 1_000, (loginTs + sessionAbsoluteS) * 1_000))
}

/** How long an owner may take over one authorization. */
export const interactionTtlS = 3_600

/** A client assertion that is good for longer is refused: its id has to be remembered for as long. */
export const maxAssertionLifetimeS = 600

/** How far a client's clock may be wrong. */
export const clockToleranceS = 15

/** Ids of assertions and proofs are remembered past the last moment at which either could be accepted. */
export const replayRetentionMs = (maxAssertionLifetimeS + 2 * clockToleranceS + 30) * 1_000

/** A DPoP proof's `iat` (decisions, "DPoP at the gateway"): the same bounds here. */
export const maxProofAgeMs = 300_000
export const maxProofAheadMs = 60_000
