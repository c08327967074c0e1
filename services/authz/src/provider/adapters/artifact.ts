/**
 * Codes, sessions, interactions and similar artifacts: sealed rows under the hash of their id. The library reads and
 * then writes; here one statement decides which request is first.
 *
 * Invariant: if a one-use artifact is used concurrently, in any number of requests and processes, exactly one use
 * succeeds.
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
    // Artifacts of a grant are deleted when the grant ends.
    revokeByGrantId: async () => {},
  }
}

/**
 * The library trusts a session or an interaction as long as it finds one, and never checks its end. This adapter
 * therefore does not find it after its end. An ended artifact keeps its row: without the row, a request that read the
 * artifact before would write it back at its own end, and so revive it.
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

/** Use prolongs a session, but not beyond its maximum lifetime after the sign-in. */
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

/** The first request that continues an interaction ends it. A second one at the same time finds none. */
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
