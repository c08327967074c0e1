/** The profile of an application in the browser: a public client with PKCE. Use the store `indexedDbStore`. */

import * as oauth from 'oauth4webapi'
import { beginCode, type CodeScope, redeemCode } from './code.ts'
import type { Auth } from './profile.ts'

/** Options of a browser application. */
export type SpaOptions = {
  scopes: readonly CodeScope[]
  /** The page to which the browser comes back, exactly as registered. */
  redirectUri: string
  /** More parameters of the authorization request: `prompt`, `max_age`. */
  parameters?: Record<string, string>
}

/**
 * A browser application. Set `location.href` to the `url` of `agent.signIn()`; on the page that comes back, call
 * `agent.completeSignIn(location.href)`.
 */
export function spa(options: SpaOptions): Auth {
  return {
    profile: 'spa',
    authenticate: () => oauth.None(),
    obtain: async (context) => ({ url: await beginCode(context, options) }),
    complete: (context, answer) => redeemCode(context, answer, oauth.None()),
  }
}
