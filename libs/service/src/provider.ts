/** The provider adapter in a service's definition. The adapter's module is loaded only when the adapter is opened. */

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

/** Opens the adapter with the connection limit and the time-out of reads. */
export function openReadingProvider(config: ReadingConfig): Promise<Provider> {
  return openProvider({
    baseUrl: config.PROVIDER_URL,
    connections: config.PROVIDER_CONNECTIONS,
    connectTimeoutMs: config.PROVIDER_READ_TIMEOUT_MS,
  })
}
