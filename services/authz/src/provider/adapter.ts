/**
 * The library's storage. The library looks, then writes; these are the places where that would let two through, so here
 * looking for a replay claims it, and consuming decides who was first.
 *
 * Invariant: of any number of concurrent uses of something one-use, in any number of processes, one succeeds.
 */

import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { createArtifactStore, type StoredArtifact } from '../store/artifacts.ts'
import { findServiceAccount } from '../store/clients.ts'
import { type ClaimOnce, createClaimOnce } from '../store/replays.ts'
import { replayRetentionMs } from './lifetimes.ts'
import { serviceAccountMetadata } from './service-account.ts'

type Parts = { db: Database; sealer: Sealer; clock: Clock; log: Log }

/** Makes the adapter of each model, as the library asks for them. */
export function createAdapterFactory(parts: Parts): (model: string) => Adapter {
  const claimOnce = createClaimOnce(parts.db, () => new Date(parts.clock.nowMs() + replayRetentionMs))
  return (model) => {
    if (model === 'Client') return guarded(clientAdapter(parts.db), parts.log)
    if (model === 'ReplayDetection') return guarded(replayAdapter(claimOnce), parts.log)
    return guarded(artifactAdapter(parts, model), parts.log)
  }
}

/** Clients are read afresh for every request: a suspension holds from its commit on. Nothing is written through the library. */
function clientAdapter(db: Database): Partial<Adapter> {
  return {
    find: async (clientId) => {
      const account = await findServiceAccount(db, clientId)
      return account && serviceAccountMetadata(account)
    },
  }
}

/** The library asks whether it has seen an id, then saves it: asking is claiming, and there is nothing left to save. */
function replayAdapter(claimOnce: ClaimOnce): Partial<Adapter> {
  return {
    find: async (id) => ((await claimOnce(id)) ? undefined : { jti: id, kind: 'ReplayDetection' }),
    upsert: async () => {},
  }
}

function artifactAdapter({ db, sealer, clock }: Parts, model: string): Adapter {
  const store = createArtifactStore(db, sealer, model)
  return {
    upsert: async (id, payload, expiresInS) => {
      const { grantId, uid, userCode } = payload
      const expiresAt = expiresInS === undefined ? null : new Date(clock.nowMs() + expiresInS * 1_000)
      await store.record(id, payload, { grantId, uid, userCode }, expiresAt)
    },
    find: async (id) => toPayload(await store.find(id)),
    findByUid: async (uid) => toPayload(await store.findByUid(uid)),
    findByUserCode: async (userCode) => toPayload(await store.findByUserCode(userCode)),
    consume: async (id) => {
      if (!(await store.consume(id, clock.now()))) throw new errors.InvalidGrant('used by a concurrent request')
    },
    destroy: store.destroy,
    revokeByGrantId: store.revokeByGrantId,
  }
}

function toPayload(stored: StoredArtifact | undefined): AdapterPayload | undefined {
  if (!stored) return undefined
  const consumed = stored.consumedAt ? { consumed: Math.floor(stored.consumedAt.getTime() / 1_000) } : {}
  return { ...stored.payload, ...consumed }
}

/** What the store cannot do answers 503 to the client and its cause goes to the log; what is not offered is a bug. */
function guarded(adapter: Partial<Adapter>, log: Log): Adapter {
  const guard = <Args extends unknown[], Result>(work?: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      if (!work) throw new Error('the library asked for storage that this model does not have')
      try {
        return await work(...args)
      } catch (error) {
        if (error instanceof errors.OIDCProviderError) throw error
        log.error({ err: error }, 'the store failed')
        throw temporarilyUnavailable()
      }
    }
  }
  return {
    upsert: guard(adapter.upsert),
    find: guard(adapter.find),
    findByUid: guard(adapter.findByUid),
    findByUserCode: guard(adapter.findByUserCode),
    consume: guard(adapter.consume),
    destroy: guard(adapter.destroy),
    revokeByGrantId: guard(adapter.revokeByGrantId),
  }
}

/** For what the client may repeat after a moment; RFC 6749 has the code for the authorization endpoint alone. */
export function temporarilyUnavailable(): Error {
  const error = new errors.CustomOIDCProviderError('temporarily_unavailable', 'a part of the server is out of reach')
  return Object.assign(error, { status: 503, statusCode: 503, expose: true })
}
