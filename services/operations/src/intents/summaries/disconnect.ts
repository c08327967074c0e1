/** What the owner reads before the connection to the provider ends. It is shared: every client that loses it is named. */

import type { onboardingRoutes } from '@financial-agents/contract/routes/onboarding'
import type { Summarise } from '../confirmed-actions.ts'
import { listOf } from '../words.ts'

export const summariseDisconnect: Summarise<typeof onboardingRoutes.disconnectService> = async (
  { principal: { owner_id }, context },
  asking,
) => {
  const clients = await asking.ownerClients({ owner_id }, context)
  const lose = clients.length === 1 ? 'loses its' : 'lose their'
  const words = `Disconnect your financial provider. ${listOf(clients.map(({ name }) => name))} ${lose} connection to your accounts and can no longer act for you there until you connect again.`
  return { words }
}
