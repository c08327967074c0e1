/**
 * Device codes. The library reads, changes and writes a code. Here a write succeeds only if the code is still as it was
 * read, so if two owners enter one code, one decides about it. The library has no `slow_down`: a poll that comes too early is
 * detected when a device's request finds its code. `device-decision.ts` writes what was decided.
 */

import { type Adapter, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { createArtifactStore, type StoredArtifact } from '../../store/artifacts.ts'
import { createRecordPoll } from '../../store/device-polls.ts'
import { devicePollIntervalS, devicePollToleranceMs } from '../lifetimes.ts'
import { artifactAdapter, expiryOf, toPayload } from './artifact.ts'
import { createWriteCode, type DeviceCodeDependencies, model } from './device-decision.ts'

const foundIn = new WeakMap<object, string>()

/** Returns the id of the device's code that a request has found. */
export function findCodeOfRequest(ctx: KoaContextWithOIDC): string | undefined {
  return foundIn.get(ctx)
}

export function deviceCodeAdapter(dependencies: DeviceCodeDependencies): Adapter {
  const { db, sealer, clock, decisions } = dependencies
  const writeCode = createWriteCode(dependencies)
  const store = createArtifactStore(db, sealer, model)
  const recordPoll = createRecordPoll(db)
  const readBy = new WeakMap<object, Map<string, Buffer>>()
  const remember = (id: unknown, sealed: Buffer | undefined) => {
    const ctx = Provider.ctx
    if (!ctx || sealed === undefined) return
    const read = readBy.get(ctx) ?? new Map<string, Buffer>()
    readBy.set(ctx, read.set(String(id), sealed))
  }
  const found = (stored: StoredArtifact | undefined) => {
    const payload = toPayload(stored)
    if (payload?.jti && Provider.ctx) foundIn.set(Provider.ctx, payload.jti)
    remember(payload?.jti, stored?.sealed)
    return payload
  }
  return {
    ...artifactAdapter(store, clock),
    upsert: async (id, payload, expiresInS) => {
      const { grantId, userCode } = payload
      const { ctx } = Provider
      const before = ctx && readBy.get(ctx)?.get(id)
      if (!before) return store.record(id, payload, { grantId, userCode }, expiryOf(clock, expiresInS))
      remember(id, await writeCode(ctx, id, payload, before))
    },
    find: async (id) => {
      const stored = await store.find(id)
      if (!stored || Provider.ctx?.oidc.route !== 'token') return found(stored)
      // A device may repeat its request after a lost answer. The repetition is refused here, because the library would
      // also end the grant of the first request.
      if (stored.consumedAt) return undefined
      await checkPace(id, stored)
      const payload = found(stored)
      if (!payload || payload.accountId || payload.error) return payload
      // A device hears of a decline although the browser that declined went no further.
      const isDeclined = (await decisions.findOfCode(id))?.type === 'declined'
      return isDeclined ? { ...payload, error: 'access_denied', errorDescription: 'the owner declined' } : payload
    },
    findByUserCode: async (userCode) => {
      // The library accepts a code that was entered once only. A person whose browser closed at the sign-in could not
      // enter it again, so until somebody has decided about a code it counts as not entered.
      const payload = found(await store.findByUserCode(userCode))
      if (!payload?.jti) return undefined
      const isDecided = (await decisions.findOfCode(payload.jti)) !== undefined
      return { ...payload, inFlight: isDecided || undefined }
    },
  }

  async function checkPace(id: string, stored: StoredArtifact): Promise<void> {
    const now = clock.now()
    if (!stored.expiresAt || stored.expiresAt <= now) return
    const pauseMs = devicePollIntervalS * 1_000 - devicePollToleranceMs
    if (await recordPoll(id, { now, pauseMs, expiresAt: stored.expiresAt })) throw new errors.SlowDown()
  }
}
