/**
 * Reads the protected header of a proof: type, algorithm, and the public key with its thumbprint (RFC 7638).
 *
 * Invariant: the result depends on the header segment alone, so it may be cached by that segment. Only the canonical
 * spelling of a key is accepted, so a key has one thumbprint.
 */

import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import { parseJsonSegment } from './json-segment.ts'

/** The key of a proof with a valid header. */
export interface ProofHeader {
  jkt: string
  x: string
  y: string
}

export type HeaderRefusal =
  | 'header_malformed'
  | 'typ_wrong'
  | 'alg_wrong'
  | 'crit_unsupported'
  | 'jwk_missing'
  | 'jwk_private'
  | 'jwk_invalid'

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']
// 32 bytes are 43 characters, of which the last carries 4 bits.
const coordinate = /^[\w-]{42}[AEIMQUYcgkosw048]$/

/** Parses the base64url header segment of a proof. */
export function readProofHeader(segment: string): ProofHeader | HeaderRefusal {
  const header = parseJsonSegment(segment)
  if (header === undefined) return 'header_malformed'
  if (header['typ'] !== 'dpop+jwt') return 'typ_wrong'
  if (header['alg'] !== 'ES256') return 'alg_wrong'
  if (header['crit'] !== undefined) return 'crit_unsupported'
  const jwk = header['jwk']
  if (jwk === undefined || jwk === null) return 'jwk_missing'
  if (typeof jwk !== 'object' || Array.isArray(jwk)) return 'jwk_invalid'
  return readJwk(jwk as Record<string, unknown>)
}

function readJwk(jwk: Record<string, unknown>): ProofHeader | HeaderRefusal {
  if (privateMembers.some((member) => jwk[member] !== undefined)) return 'jwk_private'
  const { kty, crv, x, y } = jwk
  if (kty !== 'EC' || crv !== 'P-256' || !isCoordinate(x) || !isCoordinate(y) || !servesSignatures(jwk)) {
    return 'jwk_invalid'
  }
  return { jkt: thumbprint(x, y), x, y }
}

function isCoordinate(value: unknown): value is string {
  return typeof value === 'string' && coordinate.test(value)
}

function servesSignatures({ alg, use, key_ops: operations }: Record<string, unknown>): boolean {
  if (alg !== undefined && alg !== 'ES256') return false
  if (use !== undefined && use !== 'sig') return false
  return operations === undefined || (Array.isArray(operations) && operations.includes('verify'))
}

/** The RFC 7638 thumbprint of a P-256 public key, base64url. */
export function thumbprint(x: string, y: string): string {
  return hash('sha256', `{"crv":"P-256","kty":"EC","x":"${x}","y":"${y}"}`, 'base64url')
}

/** Imports the key of a header; undefined if its point is not on the curve. */
export function importProofKey({ x, y }: { x: string; y: string }): KeyObject | undefined {
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  } catch {
    return undefined
  }
}
