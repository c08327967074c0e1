/** Starts onboarding: configuration, connections, what it answers; and stops it cleanly. */

import { connectBus } from '@financial-agents/bus/connect'
import { openServiceDatabase } from '@financial-agents/postgres/service-database'
import { createFakeAdapter } from '@financial-agents/provider/fake-adapter'
import { createSealer } from '@financial-agents/runtime/sealing'
import { runService } from '@financial-agents/runtime/service'
import { onboardingConfig } from './config.ts'
import { startOnboarding } from './start.ts'

await runService({
  name: 'onboarding',
  config: onboardingConfig,
  start: async ({ config, log, clock }) => {
    const db = openServiceDatabase({ config, name: 'onboarding', log })
    const bus = await connectBus({ config, name: 'onboarding', log })
    const { PROVIDER_URL: baseUrl, PROVIDER_CONNECTIONS: connections, PROVIDER_TIMEOUT_MS: timeoutMs } = config
    const provider =
      config.DEVICE_AUTHENTICATION === 'fake' && baseUrl !== undefined
        ? createFakeAdapter({ baseUrl, connections, connectTimeoutMs: timeoutMs })
        : null
    const service = startOnboarding({
      db,
      bus,
      log,
      clock,
      sealer: createSealer(config.CREDENTIAL_KEYS),
      authentication: provider && { provider, providerName: 'fake', timeoutMs },
      payloadSealer: createSealer(config.PAYLOAD_KEYS),
      pauses: config,
    })
    return {
      checks: { bus: () => bus.check(), database: () => db.check() },
      stop: async () => {
        await service.stop()
        await bus.drain()
        await provider?.close()
        await db.close()
      },
    }
  },
})
