/**
 * Device codes. The library reads, changes and writes a code. Here a write succeeds only if the code is still as it was
 * read, so if two owners enter one code, one decides about it. The library has no `slow_down`: a poll that comes too early is
 * detected when a device's request finds its code.
 */

import type { Clock } from '@financial-agents/runtime/clock'
import { type Adapter, errors, Provider } from 'oidc-provider'
import type { ArtifactStore, StoredArtifact } from '../../store/artifacts.ts'
import type { RecordPoll } from '../../store/device-polls.ts'
import { devicePollIntervalS, devicePollToleranceMs } from '../lifetimes.ts'
import { artifactAdapter, expiryOf, toPayload } from './artifact.ts'

export function deviceCodeAdapter(store: ArtifactStore, clock: Clock, recordPoll: RecordPoll): Adapter {
  const readBy = new WeakMap<object, Map<string, Buffer>>()
  const remember = (id: unknown, sealed: Buffer | undefined) => {
    const ctx = Provider.ctx
    if (!ctx || sealed === undefined) return
    const read = readBy.get(ctx) ?? new Map<string, Buffer>()
    readBy.set(ctx, read.set(String(id), sealed))
  }
  const found = (stored: StoredArtifact | undefined) => {
    remember(stored?.payload['jti'], stored?.sealed)
    return toPayload(stored)
  }
  return {
    ...artifactAdapter(store, clock),
    upsert: async (id, payload, expiresInS) => {
      const { grantId, userCode } = payload
      const before = Provider.ctx && readBy.get(Provider.ctx)?.get(id)
      if (!before) return store.record(id, payload, { grantId, userCode }, expiryOf(clock, expiresInS))
      const sealed = await store.replace(id, payload, { grantId, userCode }, before)
      if (!sealed) throw new errors.InvalidRequest('the code was used by a concurrent request')
      remember(id, sealed)
    },
    find: async (id) => {
      const stored = await store.find(id)
      if (!stored || Provider.ctx?.oidc.route !== 'token') return found(stored)
      // A device may repeat its request after a lost answer. The repetition is refused here, because the library would
      // also end the grant of the first request.
      if (stored.consumedAt) return undefined
      await checkPace(id, stored)
      return found(stored)
    },
    findByUserCode: async (userCode) => {
      // The library accepts a code that was entered once only. A person whose browser closed at the sign-in could not
      // enter it again, so until somebody has decided about a code it counts as not entered.
      const payload = found(await store.findByUserCode(userCode))
      return payload && { ...payload, inFlight: undefined }
    },
  }

  async function checkPace(id: string, stored: StoredArtifact): Promise<void> {
    const now = clock.now()
    if (!stored.expiresAt || stored.expiresAt <= now) return
    const pauseMs = devicePollIntervalS * 1_000 - devicePollToleranceMs
    if (await recordPoll(id, { now, pauseMs, expiresAt: stored.expiresAt })) throw new errors.SlowDown()
  }
}
