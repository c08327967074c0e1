/**
 * The token is an access token for the route's audience. ID tokens, tokens of the other class and tokens of other
 * environments are refused.
 */

import { Problem } from '@financial-agents/contract/problem'
import { type Exchange, found } from '../exchange.ts'

export function checkTokenClass(exchange: Exchange): void {
  if (!found(exchange.token ?? exchange.operatorToken).isForUs)
    throw new Problem('invalid_token', { detail: 'The token is not an access token for this API and environment.' })
}
