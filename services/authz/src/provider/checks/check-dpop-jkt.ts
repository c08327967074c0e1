/**
 * `dpop_jkt` binds the code to a key before the code exists (RFC 9449, section 10). It is required. A pushed request
 * may have a proof instead; the library then takes the thumbprint of its key. A device authorization has no such
 * parameter: there it is ignored, as RFC 8628, section 3.1 requires, and not kept.
 */

import { errors, type KoaContextWithOIDC } from 'oidc-provider'

/** Base64url of a SHA-256. The last of the 43 characters holds four bits. */
const thumbprint = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

const missing: Readonly<Record<string, string>> & { authorization: string } = {
  authorization: 'dpop_jkt is required: send the JWK SHA-256 thumbprint of your DPoP key',
  pushed_authorization_request: 'send dpop_jkt, or a DPoP proof with this request',
}

/** @throws InvalidRequest */
export function checkDpopJkt(ctx: KoaContextWithOIDC, value: string | undefined): void {
  const { route, params } = ctx.oidc
  if (route === 'device_authorization') {
    if (params) params['dpop_jkt'] = undefined
    return
  }
  if (value === undefined) throw new errors.InvalidRequest(missing[route] ?? missing.authorization)
  if (!isThumbprint(value))
    throw new errors.InvalidRequest(
      'dpop_jkt must be the JWK SHA-256 thumbprint of your DPoP key (RFC 7638), 43 characters',
    )
}

export function isThumbprint(value: unknown): value is string {
  return typeof value === 'string' && thumbprint.test(value)
}
