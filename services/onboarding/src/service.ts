/** The service's definition: its configuration, its schema, its start and its commands. */

import { ConfigError } from '@financial-agents/runtime/config'
import { createSealer } from '@financial-agents/runtime/sealing'
import { postgresSchema } from '@financial-agents/service/postgres-schema'
import { openReadingProvider } from '@financial-agents/service/provider'
import { defineService } from '@financial-agents/service/service'
import { onboardingConfig } from './config.ts'
import { migrations, privileges } from './migrations.ts'

export const service = defineService({
  name: 'onboarding',
  summary:
    'The provider bindings of owners, their sealed credentials, who has to know that they changed, and how far owners are verified.',
  config: onboardingConfig,
  database: postgresSchema(migrations, privileges),
  provider: openReadingProvider,
  start: async (config, opened) => {
    const { startOnboarding } = await import('./start.ts')
    const { provider } = opened
    const timeoutMs = config.PROVIDER_READ_TIMEOUT_MS
    const providerName = config.DEVICE_AUTHENTICATION
    const signsIn = providerName === 'unavailable' ? undefined : provider.of(providerName)
    if (signsIn === undefined && providerName !== 'unavailable')
      throw new ConfigError(
        'configuration: DEVICE_AUTHENTICATION (name an adapter of PROVIDER_ADAPTERS, or unavailable)',
      )
    return startOnboarding({
      ...opened,
      readTimeoutMs: timeoutMs,
      sealer: createSealer(config.CREDENTIAL_KEYS),
      authentication: signsIn ? { provider: signsIn, providerName, timeoutMs } : null,
      payloadSealer: createSealer(config.PAYLOAD_KEYS),
      pauses: config,
    })
  },
  commands: {
    'apply-bindings': () => import('./commands/apply-bindings.ts'),
    reencrypt: () => import('./commands/reencrypt.ts'),
  },
})
