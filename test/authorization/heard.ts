/**
 * Proves that a change is in force at every gateway, without a limit of time.
 *
 * authz answers that access has ended only after the bus has the change for the gateways. A gateway's readiness pings the
 * bus. The bus delivers in order, so the gateway has read the change before the pong.
 */

import { expect } from 'vitest'

/** Resolves when these gateways have read everything that the bus had for them at the time of the call. */
export async function haveHeard(healthUrls: readonly string[]): Promise<void> {
  const answers = await Promise.all(healthUrls.map((url) => fetch(`${url}/ready`)))
  expect(answers.map(({ status }) => status)).toEqual(healthUrls.map(() => 200))
}
