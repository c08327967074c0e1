/** The server's definition: its configuration and its start. */

import { defineDevelopmentServer } from '@financial-agents/service/development-server'
import { fakeProviderConfig } from './config.ts'

export const service = defineDevelopmentServer({
  name: 'fake-provider',
  summary: 'Development only: a provider with personas, fault scripts and a ledger of every mutation it received.',
  config: fakeProviderConfig,
  create: async (config) => {
    const { createServer } = await import('./server.ts')
    return { server: createServer({ latencyMs: config.PROVIDER_LATENCY_MS, publicUrl: config.PUBLIC_URL }) }
  },
})
