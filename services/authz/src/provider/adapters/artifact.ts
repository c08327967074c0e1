/**
 * Codes, sessions, interactions and the like: sealed rows under the hash of their id. Where the library looks and then
 * writes, one statement decides who was first.
 *
 * Invariant: of any number of concurrent uses of something one-use, in any number of processes, one succeeds.
 */

import type { Clock } from '@financial-agents/runtime/clock'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { ArtifactStore, StoredArtifact } from '../../store/artifacts.ts'
import { sessionEnd } from '../lifetimes.ts'

export function artifactAdapter(
  store: ArtifactStore,
  clock: Clock,
  refusal: () => Error = () => new errors.InvalidGrant('used by a concurrent request'),
): Adapter {
  return {
    upsert: async (id, payload, expiresInS) => {
      const { grantId, uid, userCode } = payload
      await store.record(id, payload, { grantId, uid, userCode }, expiryOf(clock, expiresInS))
    },
    find: async (id) => toPayload(await store.find(id)),
    findByUid: async (uid) => toPayload(await store.findByUid(uid)),
    findByUserCode: async (userCode) => toPayload(await store.findByUserCode(userCode)),
    consume: async (id) => {
      if (!(await store.consume(id, clock.now()))) throw refusal()
    },
    destroy: async (id) => {
      await store.destroy(id)
    },
    // Whatever is kept under a grant is deleted when the grant ends.
    revokeByGrantId: async () => {},
  }
}

/**
 * The library believes a session or an interaction for as long as it finds it, and never looks at its end: over is gone.
 * One that was ended leaves its row: a request that read it before writes it back at its own end, and would revive it.
 */
function livingAdapter(store: ArtifactStore, clock: Clock): Adapter {
  const live = (stored: StoredArtifact | undefined) =>
    stored?.consumedAt || (stored?.expiresAt && stored.expiresAt <= clock.now()) ? undefined : toPayload(stored)
  return {
    ...artifactAdapter(store, clock),
    find: async (id) => live(await store.find(id)),
    findByUid: async (uid) => live(await store.findByUid(uid)),
    destroy: async (id) => {
      await store.consume(id, clock.now())
    },
  }
}

/** Use prolongs a session, but not past its term after the sign-in. */
export function sessionAdapter(store: ArtifactStore, clock: Clock): Adapter {
  const adapter = livingAdapter(store, clock)
  return {
    ...adapter,
    upsert: (id, payload, expiresInS) => {
      const endS = sessionEnd(clock, payload.loginTs, expiresInS).getTime() / 1_000
      return adapter.upsert(id, { ...payload, exp: Math.floor(endS) }, endS - clock.nowMs() / 1_000)
    },
  }
}

/** An interaction is ended by whoever goes on with it: a second one, at the same time, finds none. */
export function interactionAdapter(store: ArtifactStore, clock: Clock): Adapter {
  return {
    ...livingAdapter(store, clock),
    destroy: async (id) => {
      if (!(await store.consume(id, clock.now()))) throw new errors.SessionNotFound('interaction session not found')
    },
  }
}

export function expiryOf(clock: Clock, expiresInS: number | undefined): Date | null {
  return expiresInS === undefined ? null : new Date(clock.nowMs() + expiresInS * 1_000)
}

export function toPayload(stored: StoredArtifact | undefined): AdapterPayload | undefined {
  if (!stored) return undefined
  const consumed = stored.consumedAt ? { consumed: Math.floor(stored.consumedAt.getTime() / 1_000) } : {}
  return { ...stored.payload, ...consumed }
}
