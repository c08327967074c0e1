/**
 * Moves the clocks of every process that takes part in a sign-in (authz, gateways, onboarding, the provider), and that
 * of this process's clients.
 */

import { environment } from './environment.ts'
import { followClock } from './party.ts'

export async function moveClock(offsetMs: number): Promise<void> {
  const { authzHealth, gatewayHealth, onboardingHealth, providerUrl } = environment()
  const body = JSON.stringify({ offset_ms: offsetMs })
  const headers = { 'content-type': 'application/json' }
  for (const at of [...authzHealth, ...gatewayHealth, ...onboardingHealth, `${providerUrl}/control`]) {
    const answer = await fetch(`${at}/clock`, { method: 'PUT', body, headers })
    if (!answer.ok) throw new Error(`a clock could not be moved: ${answer.status}`)
  }
  followClock(offsetMs)
}
