/**
 * The library's storage, one adapter for each model. Clients and grants are views of our own rows. Replays are claims.
 * Access tokens are only signed and have no storage. All other models are sealed artifacts.
 */

import { createBatchedRead } from '@financial-agents/postgres/batched-read'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { type Adapter, Provider } from 'oidc-provider'
import { isClientId } from '../registration/registration.ts'
import { createArtifactStore } from '../store/artifacts.ts'
import { findClients } from '../store/clients.ts'
import { type ClaimOnce, createClaimOnce } from '../store/replays.ts'
import { artifactAdapter, interactionAdapter, sessionAdapter } from './adapters/artifact.ts'
import { deviceCodeAdapter } from './adapters/device-code.ts'
import { grantAdapter } from './adapters/grant.ts'
import { guarded } from './adapters/guarded.ts'
import { pushedRequestAdapter } from './adapters/pushed-request.ts'
import { refreshTokenAdapter } from './adapters/refresh-token.ts'
import { checkClientAuthentication } from './checks/check-client-authentication.ts'
import { clientMetadata } from './client-metadata.ts'
import { replayRetentionMs } from './lifetimes.ts'
import type { OwnerDecisions } from './owner-decisions.ts'

export type StorageDependencies = {
  db: Database
  sealer: Sealer
  clock: Clock
  log: Log
  baseUrl: string
  decisions: OwnerDecisions
}

/** Returns a factory that the library calls for the adapter of each model. */
export function createAdapterFactory(dependencies: StorageDependencies): (model: string) => Adapter {
  const { db, sealer, clock, log } = dependencies
  const models: Readonly<Record<string, () => Partial<Adapter>>> = {
    Client: () => clientAdapter(db),
    Grant: () => grantAdapter(dependencies),
    ReplayDetection: () => replayAdapter(createClaimOnce(db, () => new Date(clock.nowMs() + replayRetentionMs))),
    AccessToken: () => neverKept,
    ClientCredentials: () => neverKept,
    Session: () => sessionAdapter(createArtifactStore(db, sealer, 'Session'), clock),
    Interaction: () => interactionAdapter(createArtifactStore(db, sealer, 'Interaction'), clock),
    PushedAuthorizationRequest: () =>
      pushedRequestAdapter(createArtifactStore(db, sealer, 'PushedAuthorizationRequest'), clock),
    RefreshToken: () => refreshTokenAdapter(createArtifactStore(db, sealer, 'RefreshToken'), clock),
    DeviceCode: () => deviceCodeAdapter(dependencies),
  }
  return (model) => guarded(models[model]?.() ?? artifactAdapter(createArtifactStore(db, sealer, model), clock), log)
}

/**
 * Clients are read for every request, so a suspension is effective from its commit. Requests that arrive together share
 * one read. The library writes nothing to clients.
 */
function clientAdapter(db: Database): Partial<Adapter> {
  const readClient = createBatchedRead({
    maxItems: 64,
    concurrency: 1,
    read: (clientIds: string[]) => findClients(db, clientIds),
  })
  return {
    find: async (clientId) => {
      const client = isClientId(clientId) ? await readClient(clientId) : undefined
      // The library looks a client up after it has read the request and before it authenticates the client.
      if (client && Provider.ctx) checkClientAuthentication(Provider.ctx, client.registration.profile)
      return client && clientMetadata(client)
    },
  }
}

/**
 * The library first asks if it has seen an id, and then saves the id. Here the question claims the id, so there is
 * nothing left to save.
 */
function replayAdapter(claimOnce: ClaimOnce): Partial<Adapter> {
  return {
    find: async (id) => ((await claimOnce(id)) ? undefined : { jti: id, kind: 'ReplayDetection' }),
    upsert: async () => {},
  }
}

/** Access tokens are signed, not stored. */
const neverKept: Partial<Adapter> = {
  find: async () => undefined,
  destroy: async () => {},
  revokeByGrantId: async () => {},
}
