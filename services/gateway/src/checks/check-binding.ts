/** The provider connection under which the grant acts exists. */

import { Problem } from '@financial-agents/contract/problem'
import { type Exchange, found } from '../exchange.ts'

const serviceDetail =
  'A service account acts over the one provider connection that was fixed when it was declared, and that connection is not there. An operator has to declare the account anew.'

export function checkBinding(exchange: Exchange): void {
  const { binding_id, is_service } = found(exchange.grant)
  if (binding_id === null)
    throw new Problem('provider_connection_unavailable', {
      refreshOnboarding: true,
      ...(is_service ? { detail: serviceDetail } : {}),
    })
}
