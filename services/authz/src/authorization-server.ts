/** The HTTP side of the service put together: keys, storage, the library, the application. Used by the process and by tests. */

import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'
import type { FastifyInstance } from 'fastify'
import type { Provider } from 'oidc-provider'
import { createApplication } from './application.ts'
import { createAdapterFactory } from './provider/adapter.ts'
import { createProvider } from './provider/provider.ts'
import { makeSigningKey, publicJwk } from './signing-key.ts'
import { createAuditor } from './store/audit.ts'
import { getSigningKeys } from './store/signing-keys.ts'

export type AuthorizationServer = {
  app: FastifyInstance
  provider: Provider
  publicKeys: Record<string, unknown>[]
}

export async function createAuthorizationServer(parts: {
  baseUrl: string
  dpopNonceKey: Buffer
  db: Database
  sealer: Sealer
  clock: Clock
  log: Log
}): Promise<AuthorizationServer> {
  const { db, sealer, clock } = parts
  const signingKeys = await getSigningKeys(db, sealer, makeSigningKey, clock.now())
  const adapter = createAdapterFactory(parts)
  const provider = createProvider({ ...parts, adapter, signingKeys, audit: createAuditor(db) })
  return { provider, app: await createApplication({ ...parts, provider }), publicKeys: signingKeys.map(publicJwk) }
}
