/** Lifetimes of what the authorization server issues and accepts (contract, "Artifact lifetimes"). */

export const accessTokenTtlS = 300

/** A client assertion that is good for longer is refused: its id has to be remembered for as long. */
export const maxAssertionLifetimeS = 600

/** How far a client's clock may be wrong. */
export const clockToleranceS = 15

/** Ids of assertions and proofs are remembered past the last moment at which either could be accepted. */
export const replayRetentionMs = (maxAssertionLifetimeS + 2 * clockToleranceS + 30) * 1_000

/** A DPoP proof's `iat` (decisions, "DPoP at the gateway"): the same bounds here. */
export const maxProofAgeMs = 300_000
export const maxProofAheadMs = 60_000
