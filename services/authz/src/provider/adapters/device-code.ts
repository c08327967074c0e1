/**
 * Device codes. The library reads, changes and writes a code. Here a write succeeds only if the code is still as it was
 * read, so if two owners enter one code, one decides about it. The library has no `slow_down`: a poll that comes too early is
 * detected when a device's request finds its code.
 *
 * Invariant: a code is approved in the transaction that finds its grant active and writes the audit entry. A device polls by
 * itself, so withholding the answer to the owner would not withhold the tokens.
 */

import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { type Adapter, type AdapterPayload, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { type ArtifactStore, createArtifactStore, type StoredArtifact } from '../../store/artifacts.ts'
import { recordAudit } from '../../store/audit.ts'
import { createRecordPoll } from '../../store/device-polls.ts'
import { holdGrant } from '../../store/human-grants.ts'
import { deviceApproved } from '../audit-entries.ts'
import { devicePollIntervalS, devicePollToleranceMs } from '../lifetimes.ts'
import { artifactAdapter, expiryOf, toPayload } from './artifact.ts'

const model = 'DeviceCode'

export function deviceCodeAdapter(parts: { db: Database; sealer: Sealer; clock: Clock }): Adapter {
  const { db, sealer, clock } = parts
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
    remember(stored?.payload['jti'], stored?.sealed)
    return toPayload(stored)
  }
  return {
    ...artifactAdapter(store, clock),
    upsert: async (id, payload, expiresInS) => {
      const { grantId, userCode } = payload
      const { ctx } = Provider
      const before = ctx && readBy.get(ctx)?.get(id)
      if (!before) return store.record(id, payload, { grantId, userCode }, expiryOf(clock, expiresInS))
      const replace = (at: ArtifactStore) => replaceAsRead(at, id, payload, before)
      remember(id, isApproved(payload) ? await approve(ctx, payload, replace) : await replace(store))
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

  function approve(
    ctx: KoaContextWithOIDC,
    payload: Approved,
    replace: (at: ArtifactStore) => Promise<Buffer>,
  ): Promise<Buffer> {
    return db.transaction(async (tx) => {
      const now = clock.now()
      await holdGrant(tx, payload.grantId, now)
      const sealed = await replace(createArtifactStore(tx, sealer, model))
      await recordAudit(tx, [deviceApproved(ctx, payload, now)])
      return sealed
    })
  }

  async function checkPace(id: string, stored: StoredArtifact): Promise<void> {
    const now = clock.now()
    if (!stored.expiresAt || stored.expiresAt <= now) return
    const pauseMs = devicePollIntervalS * 1_000 - devicePollToleranceMs
    if (await recordPoll(id, { now, pauseMs, expiresAt: stored.expiresAt })) throw new errors.SlowDown()
  }
}

type Approved = AdapterPayload & { grantId: string; accountId: string }

/** The library sets the owner also on a code whose approval failed, and then its error. */
function isApproved(payload: AdapterPayload): payload is Approved {
  const { grantId, accountId, error } = payload
  return grantId !== undefined && accountId !== undefined && error === undefined
}

/** @throws InvalidRequest if the code has changed since it was read as `before` */
async function replaceAsRead(
  store: ArtifactStore,
  id: string,
  payload: AdapterPayload,
  before: Buffer,
): Promise<Buffer> {
  const { grantId, userCode } = payload
  const sealed = await store.replace(id, payload, { grantId, userCode }, before)
  if (!sealed) throw new errors.InvalidRequest('the code was used by a concurrent request')
  return sealed
}
