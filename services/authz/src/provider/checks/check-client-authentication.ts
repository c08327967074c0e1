/**
 * What a request brings to authenticate its client, beyond what the library looks at: a shared secret is refused wherever
 * it stands, and a public client brings nothing. The library ignores what it has no method for; a client that sends it
 * believes that it counts.
 */

import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { Registration } from '../../registration/registration.ts'

const confidential: ReadonlySet<Registration['profile']> = new Set(['web', 'service'])

/** @throws InvalidClientAuth */
export function checkClientAuthentication(ctx: KoaContextWithOIDC, profile: Registration['profile']): void {
  const body = ctx.oidc.body ?? {}
  if (body['client_secret'] !== undefined) throw new errors.InvalidClientAuth('shared secrets are not taken')
  const asserted = body['client_assertion'] !== undefined || body['client_assertion_type'] !== undefined
  if (asserted && !confidential.has(profile)) throw new errors.InvalidClientAuth('a public client has no assertion')
}
