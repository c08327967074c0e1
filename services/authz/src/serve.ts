/** Every subject that the authorization server answers. */

import type { Bus } from '@financial-agents/bus/connect'
import { serveCall, serveRoutes } from '@financial-agents/bus/rpc'
import { injectCarried } from '@financial-agents/carried-http/carried-request'
import type { capabilityConfiguration } from '@financial-agents/contract/capabilities'
import { authorizationRoutes } from '@financial-agents/contract/routes/authorization'
import { identityRoutes } from '@financial-agents/contract/routes/identity'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { FastifyInstance } from 'fastify'
import type { Feed } from './background/feed.ts'
import { activeGrants } from './handlers/activeGrants.ts'
import { getAuthorization } from './handlers/getAuthorization.ts'
import { getIdentity } from './handlers/getIdentity.ts'
import { grant } from './handlers/grant.ts'
import { serveOperators } from './handlers/operators.ts'
import type { KeySource } from './signing-keys/key-source.ts'
import { listOrigins } from './store/clients.ts'
import { listOwnerClients } from './store/owner-clients.ts'
import { getOwnerIdentity } from './store/owners.ts'

export type ServeParts = {
  bus: Bus
  db: Database
  clock: Clock
  log: Log
  app: FastifyInstance
  feed: Feed
  keys: Pick<KeySource, 'publicKeys' | 'refresh'>
  capabilities: ReturnType<typeof capabilityConfiguration>['capabilities']
}

export function serve(parts: ServeParts): void {
  const { bus, db, app, feed, keys } = parts
  const options = { log: parts.log }
  // getSession needs the cookie of the pages, so it is carried over HTTP like the pages.
  const { getSession: _carried, ...routes } = { ...authorizationRoutes, ...identityRoutes }
  const handlers = { getAuthorization: getAuthorization(parts), getIdentity: getIdentity(parts) }
  serveRoutes(bus, routes, handlers, options)
  serveCall(bus, 'int.authz.identity', ({ owner_id }) => getOwnerIdentity(db, owner_id), options)
  serveCall(bus, 'rpc.authz.http', (request) => injectCarried(app, request), options)
  serveCall(bus, 'rpc.authz.grant', (request, context) => grant(parts, request, context), options)
  serveCall(bus, 'int.authz.active-grants', (request, context) => activeGrants(parts, request, context), options)
  serveCall(bus, 'rpc.authz.keys', () => readKeys(keys), options)
  serveCall(bus, 'rpc.authz.origins', async () => ({ origins: await listOrigins(db) }), options)
  serveOperators(parts)
  serveCall(
    bus,
    'int.authz.owner-clients',
    ({ owner_id }) => listOwnerClients(db, owner_id, parts.clock.now()),
    options,
  )
  serveCall(
    bus,
    'int.authz.owner-changed',
    async ({ owner_id }) => {
      await feed.announce({ owner_id })
      return null
    },
    options,
  )
}

/** Reads the keys first, because another replica may already sign with a key that this one does not know. */
async function readKeys(keys: Pick<KeySource, 'publicKeys' | 'refresh'>) {
  await keys.refresh()
  return { keys: keys.publicKeys() }
}
