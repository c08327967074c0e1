/**
 * The profile of a confidential web application or server: PAR, `private_key_jwt`, PKCE. One client object serves one owner:
 * give each its own `account`.
 */

import * as oauth from 'oauth4webapi'
import { beginCode, type CodeScope, redeemCode } from './code.ts'
import { type Auth, type ClientKey, privateKeyJwt } from './profile.ts'

/** Options of a web application. */
export type WebOptions = {
  /** The private key whose public part is registered: a JWK (ES256), or a CryptoKey with its id. */
  key: ClientKey
  scopes: readonly CodeScope[]
  /** The address to which the owner's browser comes back, exactly as registered. */
  redirectUri: string
  /** More parameters of the authorization request: `prompt`, `max_age`. */
  parameters?: Record<string, string>
}

/** A web application. Redirect to the `url` of `agent.signIn()`, and give the address that came back to `agent.completeSignIn(…)`. */
export function web(options: WebOptions): Auth {
  let authentication: Promise<oauth.ClientAuth> | undefined
  const authenticate = () => (authentication ??= privateKeyJwt(options.key))
  return {
    profile: 'web',
    authenticate,
    obtain: async (context) => ({ url: await beginCode(context, options, await authenticate()) }),
    complete: async (context, answer) => redeemCode(context, answer, await authenticate()),
    revoke: async ({ server, client, http }, refreshToken) => {
      const { DPoP: _unused, ...plain } = http
      const answer = await oauth.revocationRequest(await server(), client(), await authenticate(), refreshToken, plain)
      await oauth.processRevocationResponse(answer)
    },
  }
}
