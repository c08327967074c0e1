/**
 * The request has one Authorization header with the scheme DPoP and one token. Bearer tokens and client secrets are
 * refused.
 */

import { Problem } from '@financial-agents/contract/problem'
import { type AuthorizationProblem, parseAuthorization } from '@financial-agents/dpop/authorization-header'
import type { Exchange } from '../exchange.ts'

const details: Record<AuthorizationProblem, string> = {
  missing: 'The request has no Authorization header. Send Authorization: DPoP with an access token.',
  malformed: 'The Authorization header is not the scheme DPoP with one access token.',
  unsupported_scheme: 'The Authorization header has not the scheme DPoP; no other is accepted.',
}

export function checkScheme(exchange: Exchange): void {
  const { headers } = exchange
  if (headers.repeated.includes('authorization'))
    throw new Problem('invalid_token', { detail: 'The request has more than one Authorization header.' })
  const read = parseAuthorization(headers.authorization)
  if ('problem' in read) throw new Problem('invalid_token', { detail: details[read.problem] })
  exchange.presentedToken = read.token
}
