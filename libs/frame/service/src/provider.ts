/**
 * The provider adapters in a service's definition, as one port. Their modules are loaded only when they are opened. A wrong
 * configuration of an adapter ends the process with one line.
 */

import type { providerAdaptersConfig, providerReaderConfig } from '@financial-agents/provider-client/reader-config'
import type { RoutedProvider } from '@financial-agents/provider-client/routed'
import type { Environment } from '@financial-agents/runtime/config'
import type { z } from 'zod'

type AdaptersConfig = z.output<typeof providerAdaptersConfig>

/** The variables of named adapters come from `environment`. */
export async function openProvider(
  { PROVIDER_ADAPTERS, PROVIDER_ADAPTERS_PATH, PROVIDER_URL }: AdaptersConfig,
  environment: Environment,
  limits: {
    /** The most open connections to each provider, and so the most calls in flight. */
    readonly connections: number
    readonly connectTimeoutMs: number
  },
): Promise<RoutedProvider> {
  const { openAdapters } = await import('@financial-agents/provider-client/adapters')
  const variables = { ...environment, PROVIDER_ADAPTERS, PROVIDER_ADAPTERS_PATH, PROVIDER_URL }
  return openAdapters({ environment: variables, ...limits })
}

type ReadingConfig = AdaptersConfig &
  Pick<z.output<typeof providerReaderConfig>, 'PROVIDER_CONNECTIONS' | 'PROVIDER_READ_TIMEOUT_MS'>

/** Opens the adapters with the connection limit and the time-out of reads. */
export function openReadingProvider(config: ReadingConfig, environment: Environment): Promise<RoutedProvider> {
  const { PROVIDER_CONNECTIONS: connections, PROVIDER_READ_TIMEOUT_MS: connectTimeoutMs } = config
  return openProvider(config, environment, { connections, connectTimeoutMs })
}
