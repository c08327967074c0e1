/** The adapter of a service that speaks to the provider, for its value. The adapter is loaded when it is opened. */

import type { Provider } from '@financial-agents/provider/port'
import type { AdapterOptions } from '@financial-agents/provider-reads/adapter'
import type { providerReaderConfig } from '@financial-agents/provider-reads/reader-config'
import type { z } from 'zod'

/** Opens the adapter. */
export async function openProvider(options: AdapterOptions): Promise<Provider> {
  return (await import('@financial-agents/provider-reads/adapter')).createAdapter(options)
}

type ReadingConfig = Pick<
  z.output<typeof providerReaderConfig>,
  'PROVIDER_URL' | 'PROVIDER_CONNECTIONS' | 'PROVIDER_READ_TIMEOUT_MS'
>

/** Opens the adapter with the connections and the time-out of reads. */
export function openReadingProvider(config: ReadingConfig): Promise<Provider> {
  return openProvider({
    baseUrl: config.PROVIDER_URL,
    connections: config.PROVIDER_CONNECTIONS,
    connectTimeoutMs: config.PROVIDER_READ_TIMEOUT_MS,
  })
}
