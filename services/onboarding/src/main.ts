/** Starts onboarding: configuration, connections, what it answers; and stops it cleanly. */

import { connectBus } from '@financial-agents/bus/connect'
import { openServiceDatabase } from '@financial-agents/postgres/service-database'
import { createAdapter } from '@financial-agents/provider/adapter'
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
    const timeoutMs = config.PROVIDER_READ_TIMEOUT_MS
    const connections = { connections: config.PROVIDER_CONNECTIONS, connectTimeoutMs: timeoutMs }
    const provider = createAdapter({ baseUrl: config.PROVIDER_URL, ...connections })
    const signsIn = config.DEVICE_AUTHENTICATION === 'fake'
    const service = startOnboarding({
      db,
      bus,
      log,
      clock,
      provider,
      readTimeoutMs: timeoutMs,
      sealer: createSealer(config.CREDENTIAL_KEYS),
      authentication: signsIn ? { provider, providerName: 'fake', timeoutMs } : null,
      payloadSealer: createSealer(config.PAYLOAD_KEYS),
      pauses: config,
    })
    return {
      checks: { bus: () => bus.check(), database: () => db.check() },
      stop: async () => {
        await service.stop()
        await bus.drain()
        await provider.close()
        await db.close()
      },
    }
  },
})
