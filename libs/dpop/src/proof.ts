/**
 * Verifies the DPoP proof of a request to a protected resource (RFC 9449 §4.3 and §7): ES256 only, bound to method, target,
 * access token, the token's key and a nonce of ours.
 *
 * The cost is one ES256 verification and little else: claims are judged before the signature, the key is cached by the
 * proof's protected header, and node:crypto gets a DER signature with a bare KeyObject, its quickest way.
 *
 * Invariant: nothing that a client sent makes `verify` throw; nothing is cached that no valid signature stood behind.
 * That a proof is used once only is not judged here (see replay).
 */

import { type KeyObject, verify as verifySignature } from 'node:crypto'
import { createBoundedMap } from './bounded-map.ts'
import { derFromRaw } from './der-signature.ts'
import type { NonceCheck } from './nonce.ts'
import { checkClaims, type ProofClaims, tokenHash } from './proof-claims.ts'
import { importProofKey, readProofHeader } from './proof-header.ts'
import type { NonceRefusalReason, ProofRefusalReason } from './refusals.ts'

/** Clock, nonces and tolerances of a verifier. */
export interface ProofVerifierOptions {
  nowMs: () => number
  nonces: { check(nonce: string): NonceCheck }
  /** How far a proof's `iat` (and `nbf`) may be ahead: 60 s. */
  maxAheadMs?: number
  /** How old a proof's `iat` may be: 5 minutes. */
  maxAgeMs?: number
  /** The longest proof that is looked at: 8192 characters. */
  maxProofChars?: number
  /** How many proof keys are kept imported: 16384. */
  maxCachedKeys?: number
}

/** A request as far as its proof must match it. */
export interface ProofRequest {
  /** The value of the `DPoP` header; the caller tells a repeated header apart. */
  proof: string | undefined
  /** The method as in the request line. */
  method: string
  /** The public URL of the target in normal form, without query: `normaliseTargetUri(publicBaseUrl + path)`. */
  url: string
  accessToken: string
  /** `tokenHash(accessToken)`, where the caller has kept it with the token. */
  ath?: string
  /** The thumbprint of the key to which the access token is bound (`cnf.jkt`). */
  jkt: string
}

/** A good proof, and what its replay is judged by. */
export interface VerifiedProof {
  ok: true
  jti: string
  jkt: string
  /** Seconds, as in the proof. */
  iat: number
  nonce: string
  /** The process that issued the nonce, and when: where the proof's replay record lives. */
  nonceBootId: string
  nonceIssuedAtMs: number
}

/** A refused proof, and why. */
export type RefusedProof =
  | { ok: false; error: 'invalid_dpop_proof'; reason: Exclude<ProofRefusalReason, NonceRefusalReason> }
  | { ok: false; error: 'use_dpop_nonce'; reason: NonceRefusalReason }

/** Judges proofs. */
export interface ProofVerifier {
  /** Judges one proof, synchronously. Never throws. */
  verify(request: ProofRequest): VerifiedProof | RefusedProof
  /** How many proof keys are kept imported. */
  readonly cachedKeys: number
}

interface ProofKey {
  key: KeyObject
  jkt: string
}

// 64 bytes of signature are 86 characters, of which the last carries 2 bits.
const compactJws = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/

export { tokenHash }

/** Makes a verifier with its own cache of proof keys. */
export function createProofVerifier(options: ProofVerifierOptions): ProofVerifier {
  const { nowMs, nonces, maxAheadMs = 60_000, maxAgeMs = 300_000 } = options
  const { maxProofChars = 8192, maxCachedKeys = 16_384 } = options
  const keys = createBoundedMap<ProofKey>(maxCachedKeys)

  function verify(request: ProofRequest): VerifiedProof | RefusedProof {
    const { proof } = request
    if (proof === undefined || proof === '') return refuse('proof_missing')
    if (proof.length > maxProofChars) return refuse('proof_too_long')
    if (!compactJws.test(proof)) return refuse('proof_malformed')
    const headerEnd = proof.indexOf('.')
    const payloadEnd = proof.lastIndexOf('.')
    const headerSegment = proof.slice(0, headerEnd)

    const known = keys.get(headerSegment)
    const header = known ?? readProofHeader(headerSegment)
    if (typeof header === 'string') return refuse(header)
    if (header.jkt !== request.jkt) return refuse('key_mismatch')

    const claims = checkClaims(proof.slice(headerEnd + 1, payloadEnd), request, nowMs(), maxAheadMs, maxAgeMs)
    if (typeof claims === 'string') return refuse(claims)
    const nonce = checkNonce(claims)
    if (typeof nonce === 'string') return { ok: false, error: 'use_dpop_nonce', reason: nonce }

    const key = 'key' in header ? header.key : importProofKey(header)
    if (key === undefined) return refuse('jwk_invalid')
    const signature = derFromRaw(Buffer.from(proof.slice(payloadEnd + 1), 'base64url'))
    const signed = Buffer.from(proof.slice(0, payloadEnd), 'latin1')
    if (signature === undefined || !verifySignature('sha256', signed, key, signature))
      return refuse('signature_invalid')
    // A copy, because a slice would keep the whole proof alive for as long as the entry.
    if (known === undefined) keys.set(Buffer.from(headerSegment, 'latin1').toString('latin1'), { key, jkt: header.jkt })
    return { ok: true, jti: claims.jti, jkt: header.jkt, iat: claims.iat, ...nonce }
  }

  function checkNonce(claims: ProofClaims) {
    if (claims.nonce === undefined) return 'nonce_missing'
    if (typeof claims.nonce !== 'string') return 'nonce_malformed'
    const checked = nonces.check(claims.nonce)
    if (!checked.ok) return `nonce_${checked.reason}` as const
    return { nonce: claims.nonce, nonceBootId: checked.bootId, nonceIssuedAtMs: checked.issuedAtMs }
  }

  return {
    verify,
    get cachedKeys() {
      return keys.size
    },
  }
}

function refuse(reason: Exclude<ProofRefusalReason, NonceRefusalReason>): RefusedProof {
  return { ok: false, error: 'invalid_dpop_proof', reason }
}
