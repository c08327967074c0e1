/** The owner's provider is connected. */

import { Problem } from '@financial-agents/contract/problem'
import { type Exchange, found } from '../exchange.ts'

export function checkBinding(exchange: Exchange): void {
  if (found(exchange.grant).binding_id === null)
    throw new Problem('provider_connection_unavailable', { refreshOnboarding: true })
}
