/** The profile of a service account: client credentials, `private_key_jwt`, one fixed owner. Nobody signs in. */

import * as oauth from 'oauth4webapi'
import type { KnownScope } from '../generated/types.ts'
import { type Auth, type ClientKey, privateKeyJwt } from './profile.ts'
import { tokensFrom } from './token-answer.ts'

/** Options of a service account. */
export type ServiceOptions = {
  /** The private key whose public part is registered: a JWK (ES256), or a CryptoKey with its id. */
  key: ClientKey
  /** The scopes to ask for, within those that are registered. */
  scopes: readonly KnownScope[]
}

/** A service account (contract, "Client profiles"). */
export function service({ key, scopes }: ServiceOptions): Auth {
  let authentication: Promise<oauth.ClientAuth> | undefined
  const authenticate = () => (authentication ??= privateKeyJwt(key))
  return {
    profile: 'service',
    authenticate,
    obtain: async ({ server, client, http, resource }) => {
      const as = await server()
      const authenticated = await authenticate()
      const parameters = { scope: scopes.join(' '), resource }
      return tokensFrom(() => oauth.clientCredentialsGrantRequest(as, client(), authenticated, parameters, http))
    },
  }
}
