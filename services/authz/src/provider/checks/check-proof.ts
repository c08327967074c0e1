/**
 * Requires a recent DPoP proof in every token request, and a recent one in a pushed request that has a proof. This runs
 * before all other checks. The library checks the rest of a proof, but would accept any age if the nonce is right, and
 * would answer `invalid_grant` to a missing proof.
 */

import { decodeJwt } from 'jose'
import { maxProofAgeMs, maxProofAheadMs } from '../lifetimes.ts'

export type ProofRefusal = { error: 'invalid_dpop_proof'; error_description: string }

/** Validates the value of the DPoP header. Returns the refusal, if there is one. */
export function validateProof(proof: string, nowMs: number): ProofRefusal | undefined {
  if (proof === '') return refusal('a DPoP proof is required')
  const iat = readIat(proof)
  // A proof without a readable time is malformed, and the library explains why.
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
