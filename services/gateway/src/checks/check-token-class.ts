/** The token is an access token for this API: no ID token, no operator's token, none of another environment. */

import { Problem } from '@financial-agents/contract/problem'
import { type Exchange, found } from '../exchange.ts'

export function checkTokenClass(exchange: Exchange): void {
  if (!found(exchange.token).isForUs)
    throw new Problem('invalid_token', { detail: 'The token is not an access token for this API and environment.' })
}
