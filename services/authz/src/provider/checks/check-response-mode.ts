/** Answers go to the client by `query` or `form_post`, never in a fragment (contract, rule 1). */

import { errors, type KoaContextWithOIDC } from 'oidc-provider'

const modes: ReadonlySet<string> = new Set(['query', 'form_post'])

/** @throws UnsupportedResponseMode, which is itself sent by `query` */
export function checkResponseMode(ctx: KoaContextWithOIDC, mode: string | undefined): void {
  if (mode === undefined || modes.has(mode)) return
  if (ctx.oidc.params) ctx.oidc.params.response_mode = undefined
  throw new errors.UnsupportedResponseMode()
}

/** Moves the parameters that the library puts into a fragment of `location` to its query. */
export function withoutFragment(location: string): string {
  const at = location.indexOf('#')
  if (at < 0) return location
  const before = location.slice(0, at)
  return `${before}${before.includes('?') ? '&' : '?'}${location.slice(at + 1)}`
}
