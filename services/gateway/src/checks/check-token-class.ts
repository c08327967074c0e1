/** The token is an access token of the route's audience: no ID token, none of the other class or of another environment. */

import { Problem } from '@financial-agents/contract/problem'
import { type Exchange, found } from '../exchange.ts'

export function checkTokenClass(exchange: Exchange): void {
  if (!found(exchange.token ?? exchange.operatorToken).isForUs)
    throw new Problem('invalid_token', { detail: 'The token is not an access token for this API and environment.' })
}
