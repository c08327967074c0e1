/**
 * Assembles the HTTP side of the service: keys, storage, the library, the application. The process and the tests use
 * it.
 *
 * Invariant: after the signing keys change, the next request goes to a new instance of the library, and requests under
 * way end in the old one. Both instances share one store, so nothing is lost between them.
 */

import type { Environment } from '@financial-agents/owner-pages/view'
import { type Branding, unbranded } from '@financial-agents/pages/branding'
import { defaultLanguages, type Language } from '@financial-agents/pages/language'
import type { RouteTable } from '@financial-agents/pages/tunnel/route-table'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'
import type { FastifyInstance } from 'fastify'
import type { Provider } from 'oidc-provider'
import { type BrowserSessions, createBrowserSessions } from './browser/browser-session.ts'
import { createApplication } from './http/application.ts'
import { createFaces, type Faces } from './pages/faces.ts'
import { createReaders, type Readers } from './pages/readers.ts'
import { createAdapterFactory } from './provider/adapter.ts'
import { createProlong } from './provider/adapters/refresh-token.ts'
import { createInteractions, type Interactions } from './provider/interaction.ts'
import { createKeysAtAddress } from './provider/keys-at-address.ts'
import { createOwnerDecisions, type OwnerDecisions } from './provider/owner-decisions.ts'
import { createProvider } from './provider/provider.ts'
import { fetchKeys } from './registration/fetch-keys.ts'
import type { KeySource } from './signing-keys/key-source.ts'
import { createArtifactStore } from './store/artifacts.ts'
import { type AuditEntry, createAuditor } from './store/audit.ts'
import { findHumanGrant, findSuspension, holdGrant } from './store/human-grants.ts'

export type AuthorizationServer = {
  app: FastifyInstance
  /** Returns the instance that handles the next request. */
  provider: () => Provider
  interactions: Interactions
}

export type ServerDependencies = {
  baseUrl: string
  environment: Environment
  /** The look of the installation. */
  branding?: Branding | undefined
  /** The languages of the pages. */
  languages?: readonly Language[] | undefined
  dpopNonceKey: Buffer
  pairwiseKey: Buffer
  keys: Pick<KeySource, 'current' | 'onChange'>
  db: Database
  sealer: Sealer
  clock: Clock
  log: Log
  /** Tells if the ends and suspensions of a client's grants are in force (`background/known-ends.ts`). */
  endsAreKnown: (clientId: string) => Promise<boolean>
  addPages?: (
    app: FastifyInstance,
    dependencies: {
      provider: () => Provider
      interactions: Interactions
      decisions: OwnerDecisions
      sessions: BrowserSessions
      readers: Readers
      faces: Faces
      audit: (entry: AuditEntry) => Promise<void>
      methodsOf: RouteTable['methodsOf']
    },
  ) => void
}

export async function createAuthorizationServer(dependencies: ServerDependencies): Promise<AuthorizationServer> {
  const { db, sealer, clock, keys, addPages } = dependencies
  const audit = createAuditor(db)
  const provider = () => running.provider
  const sessions = createBrowserSessions(provider, dependencies.baseUrl, clock)
  const readers = createReaders({ ...dependencies, sessions, languages: dependencies.languages ?? defaultLanguages })
  const faces = createFaces(db, dependencies.branding ?? unbranded)
  const decisions = createOwnerDecisions(dependencies)
  const shared = {
    ...dependencies,
    decisions,
    readers,
    faces,
    audit,
    adapter: createAdapterFactory({ ...dependencies, decisions }),
    keysAt: createKeysAtAddress({ ...dependencies, fetchKeys: (address) => fetchKeys(provider(), address) }),
    findHumanGrant: (ownerId: string, clientId: string) => findHumanGrant(db, ownerId, clientId),
    findSuspension: (ownerId: string, clientId: string) => findSuspension(db, ownerId, clientId),
    prolongRefreshToken: createProlong(createArtifactStore(db, sealer, 'RefreshToken'), clock),
    holdGrant: (grantId: string) => holdGrant(db, grantId, clock.now()),
  }
  const start = () => {
    const provider = createProvider({ ...shared, signingKeys: keys.current() })
    return { provider, handle: provider.callback() }
  }
  let running = start()
  keys.onChange(() => {
    running = start()
  })
  const interactions = createInteractions(provider, sessions)
  const app = await createApplication({
    ...dependencies,
    handle: (request, response) => void running.handle(request, response),
    addPages:
      addPages &&
      ((into, methodsOf) =>
        addPages(into, { provider, interactions, decisions, sessions, readers, faces, audit, methodsOf })),
  })
  return { app, provider, interactions }
}
