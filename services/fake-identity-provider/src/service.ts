/** The server's definition: its configuration and its start. */

import { defineDevelopmentServer } from '@financial-agents/service/development-server'
import { identityProviderConfig } from './config.ts'

export const service = defineDevelopmentServer({
  name: 'fake-identity-provider',
  summary: 'Development only: the OpenID provider of an organisation, with invented operators and no passwords.',
  config: identityProviderConfig,
  create: async (config) => {
    const { createServer } = await import('./server.ts')
    const issuer = config.ISSUER ?? `http://${config.HOST}:${config.PORT}`
    const server = createServer(issuer, {
      clientId: config.CLIENT_ID,
      clientSecret: config.CLIENT_SECRET,
      redirectUris: config.REDIRECT_URIS,
    })
    return { server, logged: { issuer } }
  },
})
