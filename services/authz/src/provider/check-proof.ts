/**
 * Before anything else is looked at, a token request has a DPoP proof that was made about now. The library judges the rest
 * of the proof; it would accept any age once the nonce is right, and answer `invalid_grant` where there is none.
 */

import { decodeJwt } from 'jose'
import type { errors } from 'oidc-provider'
import { maxProofAgeMs, maxProofAheadMs } from './lifetimes.ts'

export type ProofRefusal = { error: 'invalid_dpop_proof'; error_description: string }

/** The refusal, if any, of the value of the DPoP header. */
export function judgeProof(proof: string, nowMs: number): ProofRefusal | undefined {
  if (proof === '') return refusal('a DPoP proof is required')
  const iat = readIat(proof)
  // What has no readable time is malformed, and the library says how.
  if (iat === undefined) return undefined
  const madeMs = iat * 1_000
  if (madeMs > nowMs + maxProofAheadMs || madeMs < nowMs - maxProofAgeMs)
    return refusal('the DPoP proof was not made recently')
  return undefined
}

export const replayedProof = refusal('the DPoP proof was used before')

/** The library calls a replayed proof an invalid grant (its words at the pinned version; a test holds them). */
export function isReplayedProof(error: errors.OIDCProviderError): boolean {
  return error.error === 'invalid_grant' && error.error_detail === 'DPoP proof JWT Replay detected'
}

function readIat(proof: string): number | undefined {
  try {
    return decodeJwt(proof).iat
  } catch {
    return undefined
  }
}

function refusal(description: string): ProofRefusal {
  return { error: 'invalid_dpop_proof', error_description: description }
}
