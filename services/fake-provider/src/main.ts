/** Starts the fake provider: configuration, server, one log line with its address, and a clean stop on a signal. */

import { readConfig } from '@financial-agents/runtime/config'
import { createLog } from '@financial-agents/runtime/log'
import { fakeProviderConfig } from './config.ts'
import { createServer } from './server.ts'

try {
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
} catch (error) {
  process.stderr.write(`fake-provider: ${error instanceof Error ? error.message : 'could not start'}\n`)
  process.exit(1)
}
