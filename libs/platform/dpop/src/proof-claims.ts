/**
 * Checks the claims of a proof against its request: everything that does not need the key.
 *
 * Invariant: every claim is required, and its type is checked before its value. Only `nbf` and `exp` are optional; if
 * present, they are checked too.
 */

import { hash } from 'node:crypto'
import { parseJsonSegment } from './json-segment.ts'
import { normaliseTargetUri } from './target-uri.ts'

/** The claims of a proof that matches its request. The nonce is not checked yet. */
export interface ProofClaims {
  jti: string
  iat: number
  nonce: unknown
}

export type ClaimsRefusal =
  | 'claims_malformed'
  | 'jti_invalid'
  | 'htm_missing'
  | 'htm_mismatch'
  | 'htu_missing'
  | 'htu_mismatch'
  | 'ath_missing'
  | 'ath_mismatch'
  | TimeRefusal

type TimeRefusal = 'iat_invalid' | 'iat_ahead' | 'iat_old' | 'nbf_invalid' | 'nbf_ahead' | 'exp_invalid' | 'exp_past'

const maxJtiChars = 256

/** Checks the base64url payload segment of a proof. Bounds are in milliseconds, the claims' times in seconds. */
export function checkClaims(
  segment: string,
  request: { method: string; url: string; accessToken: string; ath?: string },
  now: number,
  maxAheadMs: number,
  maxAgeMs: number,
): ProofClaims | ClaimsRefusal {
  const claims = parseJsonSegment(segment)
  if (claims === undefined) return 'claims_malformed'
  const { jti, htm, htu, ath, iat } = claims
  if (typeof jti !== 'string' || jti.length === 0 || jti.length > maxJtiChars) return 'jti_invalid'
  if (htm === undefined) return 'htm_missing'
  if (htm !== request.method) return 'htm_mismatch'
  if (htu === undefined) return 'htu_missing'
  if (typeof htu !== 'string' || !isTarget(htu, request.url)) return 'htu_mismatch'
  const wrongTime = checkTimes(claims, now, maxAheadMs, maxAgeMs)
  if (wrongTime !== undefined) return wrongTime
  if (ath === undefined) return 'ath_missing'
  if (ath !== (request.ath ?? tokenHash(request.accessToken))) return 'ath_mismatch'
  return { jti, iat: iat as number, nonce: claims['nonce'] }
}

/** The value that `ath` must have for an access token (RFC 9449 §4.2). */
export function tokenHash(accessToken: string): string {
  return hash('sha256', accessToken, 'base64url')
}

function isTarget(htu: string, url: string): boolean {
  return htu === url || normaliseTargetUri(htu) === url
}

function checkTimes(
  { iat, nbf, exp }: Record<string, unknown>,
  now: number,
  maxAheadMs: number,
  maxAgeMs: number,
): TimeRefusal | undefined {
  if (!isTime(iat)) return 'iat_invalid'
  if (iat * 1000 > now + maxAheadMs) return 'iat_ahead'
  if (iat * 1000 < now - maxAgeMs) return 'iat_old'
  if (nbf !== undefined) {
    if (!isTime(nbf)) return 'nbf_invalid'
    // The client's clock may be ahead for nbf as for iat.
    if (nbf * 1000 > now + maxAheadMs) return 'nbf_ahead'
  }
  if (exp !== undefined) {
    if (!isTime(exp)) return 'exp_invalid'
    if (exp * 1000 <= now) return 'exp_past'
  }
  return undefined
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
