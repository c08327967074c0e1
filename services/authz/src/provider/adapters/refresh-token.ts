/**
 * Refresh tokens. Each is bound to the key of the access token that it was issued with, for every client; the library
 * does so only for public clients. A token expires when its row does: a use moves only the expiry of the row.
 */

import type { Clock } from '@financial-agents/runtime/clock'
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider'
import type { ArtifactStore } from '../../store/artifacts.ts'
import { artifactAdapter, expiryOf, toPayload } from './artifact.ts'

export function refreshTokenAdapter(store: ArtifactStore, clock: Clock): Adapter {
  return {
    ...artifactAdapter(store, clock),
    upsert: async (id, payload, expiresInS) => {
      const jkt = payload.jkt ?? Provider.ctx?.oidc.entities.AccessToken?.jkt
      if (jkt === undefined) throw new Error('a refresh token was about to be issued to no key')
      await store.record(id, { ...payload, jkt }, { grantId: payload.grantId }, expiryOf(clock, expiresInS))
    },
    // A refresh token is deleted with its grant, in one transaction. If it were deleted earlier, the repetition of a
    // revocation that failed half-way would find nothing to revoke.
    destroy: async () => {},
    find: async (id): Promise<AdapterPayload | undefined> => {
      const stored = await store.find(id)
      const payload = toPayload(stored)
      if (!stored?.expiresAt || !payload) return undefined
      return { ...payload, exp: Math.floor(stored.expiresAt.getTime() / 1_000) }
    },
  }
}

/** Moves the expiry of a refresh token that still exists. */
export function createProlong(store: ArtifactStore, clock: Clock) {
  return async (id: string, ttlS: number): Promise<void> => {
    await store.prolong(id, new Date(clock.nowMs() + ttlS * 1_000))
  }
}
