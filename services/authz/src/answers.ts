/** Every subject that the authorization server answers. */

import { authzCalls } from '@financial-agents/bus/calls/authz'
import type { Bus } from '@financial-agents/bus/connect'
import { serveRoutes } from '@financial-agents/bus/rpc'
import { serveCalls } from '@financial-agents/bus/serve-calls'
import type { capabilityConfiguration } from '@financial-agents/contract/capabilities'
import { authorizationRoutes } from '@financial-agents/contract/routes/authorization'
import { identityRoutes } from '@financial-agents/contract/routes/identity'
import { injectTunnelled } from '@financial-agents/pages/tunnel/tunnelled-request'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { FastifyInstance } from 'fastify'
import type { Feed } from './background/feed.ts'
import { activeGrants } from './calls/active-grants.ts'
import { grant } from './calls/grant.ts'
import { suspendAndFence } from './calls/suspend-grant.ts'
import { getAuthorization } from './handlers/getAuthorization.ts'
import { getIdentity } from './handlers/getIdentity.ts'
import { repeatSuspension } from './registration/apply-registrations.ts'
import type { KeySource } from './signing-keys/key-source.ts'
import { listAccessGiven } from './store/access-given.ts'
import { listOrigins } from './store/clients.ts'
import { listClientNames, listOperatorGrants } from './store/operator-grants.ts'
import { listOwnerClients } from './store/owner-clients.ts'
import { getOwnerIdentity } from './store/owners.ts'

export type AnswerDependencies = {
  bus: Bus
  db: Database
  clock: Clock
  log: Log
  app: FastifyInstance
  feed: Feed
  keys: Pick<KeySource, 'publicKeys' | 'refresh'>
  capabilities: ReturnType<typeof capabilityConfiguration>['capabilities']
}

export function serveAnswers(dependencies: AnswerDependencies): void {
  const { bus, db, clock, app, feed, keys } = dependencies
  const options = { log: dependencies.log }
  // getSession needs the cookie of the pages, so it is carried over HTTP like the pages.
  const { getSession: _tunnelled, ...routes } = { ...authorizationRoutes, ...identityRoutes }
  const handlers = { getAuthorization: getAuthorization(dependencies), getIdentity: getIdentity(dependencies) }
  serveRoutes(bus, routes, handlers, options)
  serveCalls(
    bus,
    authzCalls,
    {
      'rpc.authz.http': (request) => injectTunnelled(app, request),
      'rpc.authz.grant': (request, context) => grant(dependencies, request, context),
      'rpc.authz.keys': () => readKeys(keys),
      'rpc.authz.origins': async () => ({ origins: await listOrigins(db) }),
      'int.authz.identity': ({ owner_id }) => getOwnerIdentity(db, owner_id),
      'int.authz.active-grants': (request, context) => activeGrants(dependencies, request, context),
      'int.authz.owner-clients': ({ owner_id }) => listOwnerClients(db, owner_id, clock.now()),
      'int.authz.owner-changed': async (change) => (await feed.announce(change), null),
      'int.authz.access-given': (request) => listAccessGiven(db, request),
      'int.authz.find-grants': (request) => listOperatorGrants(db, request, clock.now()),
      'int.authz.client-names': ({ client_ids }) => listClientNames(db, client_ids),
      'int.authz.repeat-end': ({ target_id }) => repeatSuspension(db, target_id, clock.now()),
      'int.authz.suspend-grant': (request, context) => suspendAndFence(dependencies, request, context),
    },
    options,
  )
}

/** Reads the keys first, because another replica may already sign with a key that this one does not know. */
async function readKeys(keys: Pick<KeySource, 'publicKeys' | 'refresh'>) {
  await keys.refresh()
  return { keys: keys.publicKeys() }
}
