/** Starts the fake identity provider: configuration, server, one log line with its issuer, and a clean stop on a signal. */

import type { Command } from '@financial-agents/runtime/command'
import { readConfig } from '@financial-agents/runtime/config'
import { createLog } from '@financial-agents/runtime/log'
import { identityProviderConfig } from '../config.ts'
import { createServer } from '../server.ts'

export const command: Command = {
  summary: 'run the server until SIGTERM or SIGINT',
  config: identityProviderConfig,
  run: async () => {
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
    return undefined
  },
}
