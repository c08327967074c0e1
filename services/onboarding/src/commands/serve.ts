/** Starts onboarding. */

import { areaServiceCommand } from '@financial-agents/provider/area-service'
import { createSealer } from '@financial-agents/runtime/sealing'
import { onboardingConfig } from '../config.ts'
import { startOnboarding } from '../start.ts'

export const command = areaServiceCommand({
  name: 'onboarding',
  config: onboardingConfig,
  start: (config, parts) => {
    const { provider } = parts
    const timeoutMs = config.PROVIDER_READ_TIMEOUT_MS
    const signsIn = config.DEVICE_AUTHENTICATION === 'fake'
    return startOnboarding({
      ...parts,
      readTimeoutMs: timeoutMs,
      sealer: createSealer(config.CREDENTIAL_KEYS),
      authentication: signsIn ? { provider, providerName: 'fake', timeoutMs } : null,
      payloadSealer: createSealer(config.PAYLOAD_KEYS),
      pauses: config,
    })
  },
})
