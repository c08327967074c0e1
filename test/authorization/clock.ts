/** Moves the clocks of authz and of the gateways together, and those of this process's clients with them. */

import { environment } from './environment.ts'
import { followClock } from './party.ts'

export async function moveClock(offsetMs: number): Promise<void> {
  const { authzHealth, gatewayHealth } = environment()
  const body = JSON.stringify({ offset_ms: offsetMs })
  const headers = { 'content-type': 'application/json' }
  for (const health of [...authzHealth, ...gatewayHealth]) {
    const answer = await fetch(`${health}/clock`, { method: 'PUT', body, headers })
    if (!answer.ok) throw new Error(`a clock could not be moved: ${answer.status}`)
  }
  followClock(offsetMs)
}
