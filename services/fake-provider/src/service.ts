/** The server's definition: its configuration and its start. */

import { defineDevelopmentServer } from '@financial-agents/service/development-server'
import { fakeProviderConfig } from './config.ts'

export const service = defineDevelopmentServer({
  name: 'fake-provider',
  summary: 'Development only: a provider with test users, fault scripts and a ledger of every mutation it received.',
  config: fakeProviderConfig,
  create: async (config) => {
    const { createServer } = await import('./server.ts')
    const { PROVIDER_LATENCY_MS: latencyMs, PUBLIC_URL: publicUrl } = config
    const { EXECUTES_REPEATS: executesRepeats, REFUSES_AFTER_DEADLINE: refusesAfterDeadline } = config
    const { SYSTEM_CONTROL_URL: systemControlUrl } = config
    return { server: createServer({ latencyMs, executesRepeats, refusesAfterDeadline, publicUrl, systemControlUrl }) }
  },
})
