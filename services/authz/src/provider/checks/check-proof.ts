/**
 * Before anything else is looked at, a token request has a DPoP proof that was made about now, and a proof with a pushed
 * request was too. The library judges the rest of a proof; it would accept any age once the nonce is right, and answer
 * `invalid_grant` where there is none.
 */

import { decodeJwt } from 'jose'
import { maxProofAgeMs, maxProofAheadMs } from '../lifetimes.ts'

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
