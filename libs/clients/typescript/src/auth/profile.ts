/** The five client profiles (contract, "Client profiles"): how each authenticates, and how it obtains tokens. */

import * as oauth from 'oauth4webapi'
import type { CryptoKey, Jwk } from '../jwk.ts'
import type { OnOwnerNeeded } from '../owner.ts'
import type { Store } from '../store.ts'
import type { TokenAnswer } from './token-answer.ts'

/** `fetch` as the OAuth library calls it. */
export type OAuthFetch = (url: string, options: oauth.CustomFetchOptions<string, unknown>) => Promise<Response>

/** The parts that a profile works with. */
export type AuthContext = {
  /** The authorization server's metadata. */
  server: () => Promise<oauth.AuthorizationServer>
  /** This client, with the known difference of clocks. */
  client: () => oauth.Client
  /** The options of every request to the server, with the proofs of this client's key. */
  http: {
    DPoP: oauth.DPoPHandle
    [oauth.customFetch]: OAuthFetch
    [oauth.allowInsecureRequests]: boolean
  }
  /** The resource identifier: the environment's origin. */
  resource: string
  store: Store
  onOwnerNeeded: OnOwnerNeeded | undefined
  /** The server's time in milliseconds. */
  now: () => number
  signal: AbortSignal | undefined
}

/** An authorization request under way, for the profiles whose browser leaves and comes back. */
export type Redirect = { url: string }

/** A client profile, as `service`, `device`, `native`, `spa` and `web` return it. */
export type Auth = {
  readonly profile: 'service' | 'device' | 'native' | 'spa' | 'web'
  /** The client's authentication at the token endpoint. */
  authenticate: () => oauth.ClientAuth | Promise<oauth.ClientAuth>
  /** Obtains tokens, or the address to which the owner's browser has to go. */
  obtain: (context: AuthContext) => Promise<TokenAnswer | Redirect>
  /** Redeems the address to which the browser came back. */
  complete?: (context: AuthContext, answer: URL) => Promise<TokenAnswer>
  /** Ends the grant at the server. */
  revoke?: (context: AuthContext, refreshToken: string) => Promise<void>
}

/** A private key for `private_key_jwt`: a JWK (ES256), or a CryptoKey with its id. */
export type ClientKey = Jwk | { key: CryptoKey; kid: string }

/** The authentication `private_key_jwt` with this key. */
export async function privateKeyJwt(given: ClientKey): Promise<oauth.ClientAuth> {
  if (isPair(given)) return oauth.PrivateKeyJwt(given)
  const { kty, crv, x, y, d, kid } = given
  const jwk = { kty, crv, x, y, d } as object
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  return oauth.PrivateKeyJwt(kid === undefined ? key : { key, kid })
}

function isPair(given: ClientKey): given is { key: CryptoKey; kid: string } {
  return 'key' in given
}
