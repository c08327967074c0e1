/**
 * Checks the client authentication of a request beyond the library's checks. A shared secret is refused in any place,
 * and a public client must send no assertion. The library ignores authentication that it has no method for, while the
 * client believes that it counts.
 */

import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { Registration } from '../../registration/registration.ts'

const confidential: ReadonlySet<Registration['profile']> = new Set(['web', 'service'])

/** @throws InvalidClientAuth */
export function checkClientAuthentication(ctx: KoaContextWithOIDC, profile: Registration['profile']): void {
  const body = ctx.oidc.body ?? {}
  // RFC 6749, 3.2: a parameter without a value counts as omitted.
  if (body['client_secret']) throw new errors.InvalidClientAuth('shared secrets are not taken')
  const isAsserted = Boolean(body['client_assertion'] || body['client_assertion_type'])
  if (isAsserted && !confidential.has(profile)) throw new errors.InvalidClientAuth('a public client has no assertion')
}
