/**
 * Verifies the DPoP proof of a request to a protected resource (RFC 9449 §4.3 and §7). Proofs use ES256 only and are
 * bound to the method, the target, the access token, the token's key and one of our nonces.
 *
 * The cost is little more than one ES256 verification. Claims are checked before the signature, and keys are cached by
 * the proof's protected header. node:crypto gets a DER signature and a bare KeyObject, which is its fastest way.
 *
 * Invariant: no input of a client makes `verify` throw, and a key is cached only after a valid signature. This module
 * does not detect reuse of a proof (see replay).
 */

import { type KeyObject, verify as verifySignature } from 'node:crypto'
import { createBoundedMap } from './bounded-map.ts'
import { derFromRaw } from './der-signature.ts'
import type { NonceCheck } from './nonce.ts'
import { checkClaims, type ProofClaims, tokenHash } from './proof-claims.ts'
import { importProofKey, readProofHeader } from './proof-header.ts'
import type { NonceRefusalReason, ProofRefusalReason } from './refusals.ts'

export interface ProofVerifierOptions {
  nowMs: () => number
  nonces: { check(nonce: string): NonceCheck }
  /** The tolerance for an `iat` or `nbf` in the future; by default 60 s. */
  maxAheadMs?: number
  /** The maximum age of a proof by its `iat`; by default 5 minutes. */
  maxAgeMs?: number
  /** The maximum length of a proof; by default 8192 characters. A longer proof is not parsed. */
  maxProofChars?: number
  /** The number of imported proof keys that are cached; by default 16384. */
  maxCachedKeys?: number
}

/** The properties of a request that its proof must match. */
export interface ProofRequest {
  /** The value of the `DPoP` header. The caller detects a repeated header. */
  proof: string | undefined
  /** The method as in the request line. */
  method: string
  /** The public URL of the target in normal form, without query: `normaliseTargetUri(publicBaseUrl + path)`. */
  url: string
  accessToken: string
  /** `tokenHash(accessToken)`, if the caller has kept it with the token. */
  ath?: string
  /** The thumbprint of the key to which the access token is bound (`cnf.jkt`). */
  jkt: string
}

/** A valid proof, and the values that identify it for the replay check. */
export interface VerifiedProof {
  ok: true
  jti: string
  jkt: string
  /** Seconds, as in the proof. */
  iat: number
  nonce: string
  /** The boot id of the process that issued the nonce. That process keeps the replay record of the proof. */
  nonceBootId: string
  nonceIssuedAtMs: number
}

export type RefusedProof =
  | { ok: false; error: 'invalid_dpop_proof'; reason: Exclude<ProofRefusalReason, NonceRefusalReason> }
  | { ok: false; error: 'use_dpop_nonce'; reason: NonceRefusalReason }

export interface ProofVerifier {
  /** Synchronous. Never throws. */
  verify(request: ProofRequest): VerifiedProof | RefusedProof
  readonly cachedKeys: number
}

interface ProofKey {
  key: KeyObject
  jkt: string
}

// The 64 bytes of a signature are 86 characters, of which the last carries 2 bits.
const compactJws = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/

export { tokenHash }

/** Creates a verifier with its own cache of proof keys. */
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
    // A copy of the segment. A slice would keep the whole proof in memory as long as the cache entry.
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
