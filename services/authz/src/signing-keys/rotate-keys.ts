/**
 * Rotation of the signing keys. A new key is published first, and signs after every copy of the key set contains it.
 * The old key stays published until everything that it signed has expired; then it is removed.
 *
 * Invariant: only one rotation at a time. While a published key does not sign yet, no other key is published.
 */

import type { Database } from '@financial-agents/postgres/database'
import type { Sealer } from '@financial-agents/runtime/sealing'
import {
  type KeyStage,
  type KeyTimes,
  listKeyTimes,
  lockSigningKeys,
  publishedAfterMs,
  recordSigningKey,
  removeSigningKey,
  retiresAt,
  stageOf,
} from '../store/signing-keys.ts'
import { makeSigningKey } from './signing-key.ts'

/** A gateway reads the keys every 60 s, a replica of authz every few seconds. */
export const usualLeadMs = 90_000

export type ListedKey = KeyTimes & { stage: KeyStage; retires_at: Date | null; removed_after: Date | null }

/**
 * Publishes a new key that signs `leadMs` from now, or at once if there was none. @throws Error if a rotation is under
 * way
 */
export function rotateKeys(db: Database, sealer: Sealer, options: { now: Date; leadMs: number }): Promise<KeyTimes> {
  const { now, leadMs } = options
  return db.transaction(async (tx) => {
    await lockSigningKeys(tx)
    const keys = await listKeyTimes(tx)
    const next = keys.find((key) => key.signs_from > now)
    if (next)
      throw new Error(`key ${next.kid} is published and signs from ${next.signs_from.toISOString()}: rotate after that`)
    const signsFrom = new Date(now.getTime() + (keys.length === 0 ? 0 : leadMs))
    const times = { created_at: now, signs_from: signsFrom }
    const { privateJwk: _private, ...made } = await recordSigningKey(
      tx,
      sealer,
      await makeSigningKey(),
      times,
      'operator',
    )
    return made
  })
}

/** Removes keys whose signatures have all expired. */
export async function pruneKeys(db: Database, now: Date): Promise<void> {
  const known = await listKeyTimes(db)
  if (!known.some((key) => stageOf(key, known, now) === 'over')) return
  await db.transaction(async (tx) => {
    await lockSigningKeys(tx)
    const keys = await listKeyTimes(tx)
    for (const key of keys) if (stageOf(key, keys, now) === 'over') await removeSigningKey(tx, key.kid, now)
  })
}

/** Lists every key with its stage, the latest first. */
export async function listKeys(db: Database, now: Date): Promise<ListedKey[]> {
  const keys = await listKeyTimes(db)
  return keys.map((key) => {
    const retires = retiresAt(key, keys)
    const removed = retires && new Date(retires.getTime() + publishedAfterMs)
    return { ...key, stage: stageOf(key, keys, now), retires_at: retires, removed_after: removed }
  })
}
