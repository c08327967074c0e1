/**
 * `dpop_jkt` binds the code to a key before it exists (RFC 9449, section 10), and is required. A pushed request may have
 * a proof instead: the library then takes the thumbprint of its key.
 */

import { errors, type KoaContextWithOIDC } from 'oidc-provider'

/** Base64url of a SHA-256: the last of 43 characters holds four bits. */
const thumbprint = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/** @throws InvalidRequest */
export function checkDpopJkt(ctx: KoaContextWithOIDC, value: string | undefined): void {
  if (ctx.oidc.route === 'device_authorization') return
  if (value === undefined) throw new errors.InvalidRequest('dpop_jkt is required')
  if (!thumbprint.test(value)) throw new errors.InvalidRequest('dpop_jkt must be a JWK SHA-256 thumbprint')
}
