/**
 * What a client assertion must say beyond what the library checks (signature, expiry, issuer, subject, one use): its
 * audience is the issuer and nothing else, and it was neither made in the future nor for a long life.
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
