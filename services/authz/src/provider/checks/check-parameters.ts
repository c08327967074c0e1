/**
 * Rules for single parameters of an authorization request, pushed or direct, that the library leaves open. The library
 * runs them after its own checks and before anything is stored or shown.
 */

import { type Client, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { checkMaxAgeAlone, maxAgeAlone } from '../max-age.ts'
import { checkDpopJkt } from './check-dpop-jkt.ts'
import { checkNonce } from './check-nonce.ts'
import { checkPushedClient } from './check-pushed-client.ts'
import { checkResponseMode } from './check-response-mode.ts'

type Check = (ctx: KoaContextWithOIDC, value: string | undefined, client: Client) => void

export const parameterChecks: Record<string, Check> = {
  client_id: (ctx, _value, client) => checkPushedClient(ctx, client),
  response_mode: checkResponseMode,
  claims: (_ctx, value) => {
    if (value !== undefined) throw new errors.InvalidRequest('the claims parameter is not supported')
  },
  authorization_details: (_ctx, value) => {
    if (value !== undefined) throw new errors.InvalidAuthorizationDetails('authorization_details are not supported')
  },
  nonce: checkNonce,
  dpop_jkt: checkDpopJkt,
  [maxAgeAlone]: checkMaxAgeAlone,
}
