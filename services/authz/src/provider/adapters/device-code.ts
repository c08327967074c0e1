/**
 * Device codes. The library reads, changes and writes a code. Here a write succeeds only if the code is still as it was
 * read, so if two owners enter one code, one decides about it. The library has no `slow_down`: a poll that comes too early is
 * detected when a device's request finds its code.
 *
 * Invariants: the first decision about a code holds, whichever browsers entered it. A code is approved in the transaction that finds its grant active and writes the audit entry. A device polls by
 * itself, so withholding the answer to the owner would not withhold the tokens.
 */

import type { Database, Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { type Adapter, type AdapterPayload, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { type ArtifactStore, createArtifactStore, type StoredArtifact } from '../../store/artifacts.ts'
import { recordAudit } from '../../store/audit.ts'
import { createRecordPoll } from '../../store/device-polls.ts'
import { holdGrant } from '../../store/human-grants.ts'
import { deviceApproved } from '../audit-entries.ts'
import { devicePollIntervalS, devicePollToleranceMs } from '../lifetimes.ts'
import { AlreadyDecided, type OwnerDecision, type OwnerDecisions } from '../owner-decisions.ts'
import { artifactAdapter, expiryOf, toPayload } from './artifact.ts'

const model = 'DeviceCode'

const foundIn = new WeakMap<object, string>()

/** Returns the id of the device's code that a request has found. */
export function findCodeOfRequest(ctx: KoaContextWithOIDC): string | undefined {
  return foundIn.get(ctx)
}

export function deviceCodeAdapter(parts: {
  db: Database
  sealer: Sealer
  clock: Clock
  decisions: OwnerDecisions
}): Adapter {
  const { db, sealer, clock, decisions } = parts
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
      const replace = (at: ArtifactStore) => replaceAsRead(at, id, payload, before)
      if (isApproved(payload)) remember(id, await approve(ctx, id, payload, replace))
      else remember(id, await (payload.error === 'access_denied' ? decline(id, payload, replace) : replace(store)))
    },
    find: async (id) => {
      const stored = await store.find(id)
      if (!stored || Provider.ctx?.oidc.route !== 'token') return found(stored)
      // A device may repeat its request after a lost answer. The repetition is refused here, because the library would
      // also end the grant of the first request.
      if (stored.consumedAt) return undefined
      await checkPace(id, stored)
      return toldOf(id, found(stored))
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

  /** A device hears of a decline although the browser that declined went no further. */
  async function toldOf(id: string, payload: AdapterPayload | undefined): Promise<AdapterPayload | undefined> {
    if (!payload || payload.accountId || payload.error) return payload
    const isDeclined = (await decisions.findOfCode(id))?.type === 'declined'
    return isDeclined ? { ...payload, error: 'access_denied', errorDescription: 'the owner declined' } : payload
  }

  /** Records the decision about a code; if there is one, it has to be the same. @throws InvalidRequest */
  async function decideSame(tx: Queryable, id: string, decision: OwnerDecision): Promise<void> {
    await decisions.decideCode(tx, id, decision).catch(async (error: unknown) => {
      if (!(error instanceof AlreadyDecided)) throw error
      const before = await decisions.findOfCode(id)
      const grantOf = (one: OwnerDecision | undefined) => one?.type === 'allowed' && one.grantId
      if (grantOf(before) !== grantOf(decision))
        throw new errors.InvalidRequest('somebody has decided otherwise about the code')
    })
  }

  type Replace = (at: ArtifactStore) => Promise<Buffer>

  function decline(id: string, payload: AdapterPayload, replace: Replace): Promise<Buffer> {
    const description = payload['errorDescription']
    const decision = { type: 'declined', clientId: payload.clientId ?? '', ownerId: undefined } as const
    return db.transaction(async (tx) => {
      await decideSame(tx, id, { ...decision, description: String(description) })
      return replace(createArtifactStore(tx, sealer, model))
    })
  }

  function approve(ctx: KoaContextWithOIDC, id: string, payload: Approved, replace: Replace): Promise<Buffer> {
    const { clientId = '', accountId: ownerId, grantId } = payload
    return db.transaction(async (tx) => {
      const now = clock.now()
      await decideSame(tx, id, { type: 'allowed', clientId, ownerId, grantId, mandateIds: [] })
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
