/**
 * The nonce of a request with `openid`: required, 1 to 64 Unicode scalar values, no control characters of either set
 * (contract, rule 6). The ID token contains it unchanged.
 */

import { errors, type KoaContextWithOIDC } from 'oidc-provider'

const maxScalarValues = 64

/** @throws InvalidRequest */
export function checkNonce(ctx: KoaContextWithOIDC, nonce: string | undefined): void {
  if (!ctx.oidc.requestParamScopes.has('openid')) return
  if (!nonce)
    throw new errors.InvalidRequest(
      'nonce is required with the scope openid: send 1 to 64 characters, or leave openid out',
    )
  if (Array.from(nonce).length > maxScalarValues)
    throw new errors.InvalidRequest(`nonce must not be longer than ${maxScalarValues} characters`)
  if (/\p{Cc}/u.test(nonce) || !nonce.isWellFormed())
    throw new errors.InvalidRequest('nonce must not contain control characters')
}
