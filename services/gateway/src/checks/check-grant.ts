/** The grant and its client are active in authz now, and the token belongs to that client. */

import type { GrantView } from '@financial-agents/bus/messages/authority'
import { Problem } from '@financial-agents/contract/problem'
import type { Dependencies } from '../dependencies.ts'
import { type Exchange, found } from '../exchange.ts'

export function checkGrant(exchange: Exchange, { grants }: Pick<Dependencies, 'grants'>): void | Promise<void> {
  const view = grants.find(found(exchange.token).grantId, exchange)
  if (view instanceof Promise) return view.then((read) => validate(exchange, read))
  validate(exchange, view)
}

function validate(exchange: Exchange, view: GrantView | null): void {
  if (view === null || view.status !== 'active' || view.client_id !== found(exchange.token).clientId)
    throw new Problem('invalid_token', { detail: 'The grant or the client of the access token is not active.' })
  exchange.grant = view
}
