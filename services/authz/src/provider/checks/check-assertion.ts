/**
 * Checks a client assertion beyond the library's checks (signature, expiry, issuer, subject, one use). Its audience
 * must be the issuer alone, it must not be made in the future, and its lifetime must be short.
 */

import { errors } from 'oidc-provider'
import { clockToleranceS, maxAssertionLifetimeS } from '../lifetimes.ts'

/** @throws InvalidClientAuth */
export function checkAssertion(claims: Readonly<Record<string, unknown>>, issuer: string, nowS: number): void {
  if (claims.aud !== issuer) throw new errors.InvalidClientAuth('aud must be the issuer alone')
  if (typeof claims.exp !== 'number' || claims.exp > nowS + maxAssertionLifetimeS + clockToleranceS)
    throw new errors.InvalidClientAuth('exp is too far away')
  if (claims.iat !== undefined && (typeof claims.iat !== 'number' || claims.iat > nowS + clockToleranceS))
    throw new errors.InvalidClientAuth('iat is in the future')
}
