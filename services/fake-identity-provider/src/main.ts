/** Starts the fake identity provider: configuration, server, one log line with its issuer, and a clean stop on a signal. */

import { readConfig } from '@financial-agents/runtime/config'
import { createLog } from '@financial-agents/runtime/log'
import { identityProviderConfig } from './config.ts'
import { createServer } from './server.ts'

try {
  const config = readConfig(identityProviderConfig, process.env)
  const log = createLog({ service: 'fake-identity-provider', level: config.LOG_LEVEL })
  const issuer = config.ISSUER ?? `http://${config.HOST}:${config.PORT}`
  const server = createServer(issuer, {
    clientId: config.CLIENT_ID,
    clientSecret: config.CLIENT_SECRET,
    redirectUris: config.REDIRECT_URIS,
  })
  await server.listen({ host: config.HOST, port: config.PORT })
  log.info({ issuer }, 'listening')

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info('stopping')
      void server.close().finally(() => process.exit(0))
    })
  }
} catch (error) {
  process.stderr.write(`fake-identity-provider: ${error instanceof Error ? error.message : 'could not start'}\n`)
  process.exit(1)
}
