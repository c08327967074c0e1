/** Starts the fake provider: configuration, server, one log line with its address, and a clean stop on a signal. */

import type { Command } from '@financial-agents/runtime/command'
import { readConfig } from '@financial-agents/runtime/config'
import { createLog } from '@financial-agents/runtime/log'
import { fakeProviderConfig } from '../config.ts'
import { createServer } from '../server.ts'

export const command: Command = {
  summary: 'run the server until SIGTERM or SIGINT',
  config: fakeProviderConfig,
  run: async () => {
    const config = readConfig(fakeProviderConfig, process.env)
    const log = createLog({ service: 'fake-provider', level: config.LOG_LEVEL })
    const server = createServer({ latencyMs: config.PROVIDER_LATENCY_MS, publicUrl: config.PUBLIC_URL })
    const address = await server.listen({ host: config.HOST, port: config.PORT })
    log.info({ address }, 'listening')

    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        log.info('stopping')
        void server.close().finally(() => process.exit(0))
      })
    }
    return undefined
  },
}
