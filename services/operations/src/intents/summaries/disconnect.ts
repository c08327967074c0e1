/**
 * The owner's text before the connection to the provider ends. Clients share the connection. Only the owner reads the
 * names of all clients that lose it.
 */

import type { onboardingRoutes } from '@financial-agents/contract/routes/onboarding'
import { countedClients, namedClients } from '../words.ts'
import type { Summarise } from './summarise.ts'

const label = 'Loses the connection'

export const summariseDisconnect: Summarise<typeof onboardingRoutes.disconnectService> = async (
  { principal: { owner_id, client_id }, context },
  asking,
) => {
  const clients = await asking.ownerClients({ owner_id }, context)
  const ids = clients.map((client) => client.client_id)
  return {
    opening:
      'Disconnect from your financial provider. Each application below can no longer act for you there. You stay disconnected until you connect again.',
    facts: { client: [countedClients(label, ids, client_id)], owner: namedClients(label, ids, clients) },
  }
}
