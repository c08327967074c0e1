/**
 * Signing keys, sealed, each with the time from which it signs. The stage of a key follows from these times alone, so
 * replicas agree without a message. The key that began last signs. Its successors are published before they begin, and
 * its predecessors until everything that they signed has expired.
 *
 * Invariant: a key signs only after it has been published for longer than any copy of the key set may be behind. Only
 * the first key of an environment signs at once.
 */

import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { type Actor, recordAudit } from './audit.ts'

export type PrivateJwk = {
  kty: 'EC'
  crv: 'P-256'
  x: string
  y: string
  d: string
  kid: string
  alg: 'ES256'
  use: 'sig'
}

export type KeyTimes = { kid: string; created_at: Date; signs_from: Date }
export type SigningKey = KeyTimes & { privateJwk: PrivateJwk }

const lock = statement(
  'signing_keys_lock',
  `SELECT pg_advisory_xact_lock(hashtext(current_schema() || '.signing_keys'))`,
)
const all = statement(
  'signing_keys_all',
  'SELECT kid, created_at, signs_from, private_jwk_sealed FROM signing_keys ORDER BY signs_from DESC, kid',
)
const allTimes = statement(
  'signing_keys_times',
  'SELECT kid, created_at, signs_from FROM signing_keys ORDER BY signs_from DESC, kid',
)
const insert = statement(
  'signing_keys_insert',
  'INSERT INTO signing_keys (kid, private_jwk_sealed, created_at, signs_from) VALUES ($1, $2, $3, $4)',
)
const remove = statement('signing_keys_remove', 'DELETE FROM signing_keys WHERE kid = $1')

/** Returns the keys, the latest first. If there is none, one replica creates one and the others read it. */
export async function loadSigningKeys(
  db: Database,
  sealer: Sealer,
  make: () => Promise<PrivateJwk>,
  now: Date,
): Promise<SigningKey[]> {
  const found = await readSigningKeys(db, sealer)
  if (found.length > 0) return found
  return db.transaction(async (tx) => {
    await tx.rows(lock)
    const rows = await readSigningKeys(tx, sealer)
    if (rows.length > 0) return rows
    const times = { created_at: now, signs_from: now }
    return [await recordSigningKey(tx, sealer, await make(), times, 'system')]
  })
}

async function readSigningKeys(db: Queryable, sealer: Sealer): Promise<SigningKey[]> {
  const rows = await db.rows<KeyTimes & { private_jwk_sealed: Buffer }>(all)
  return rows.map(({ private_jwk_sealed, ...row }) => ({
    ...row,
    privateJwk: open(sealer, row.kid, private_jwk_sealed),
  }))
}

export function listKeyTimes(db: Queryable): Promise<KeyTimes[]> {
  return db.rows<KeyTimes>(allTimes)
}

export async function lockSigningKeys(tx: Queryable): Promise<void> {
  await tx.rows(lock)
}

export async function recordSigningKey(
  tx: Queryable,
  sealer: Sealer,
  key: PrivateJwk,
  at: Omit<KeyTimes, 'kid'>,
  actor: Actor,
): Promise<SigningKey> {
  const sealed = sealer.seal(Buffer.from(JSON.stringify(key)), context(key.kid))
  await tx.rows(insert, [key.kid, sealed, at.created_at, at.signs_from])
  const about = { at: at.created_at, client_id: null, grant_id: null, actor }
  const detail = { kid: key.kid, signs_from: at.signs_from }
  await recordAudit(tx, [{ ...about, event: 'signing_key_published', detail }])
  return { kid: key.kid, ...at, privateJwk: key }
}

export async function removeSigningKey(tx: Queryable, kid: string, now: Date): Promise<void> {
  await tx.rows(remove, [kid])
  const about = { at: now, client_id: null, grant_id: null, actor: 'system' as const }
  await recordAudit(tx, [{ ...about, event: 'signing_key_removed', detail: { kid } }])
}

/** Returns the signing key first, then the other published keys: successors and predecessors. */
export function inSigningOrder<Key extends KeyTimes>(keys: readonly Key[], now: Date): Key[] {
  const latestFirst = keys.toSorted((one, other) => other.signs_from.getTime() - one.signs_from.getTime())
  const signing = latestFirst.find((key) => key.signs_from <= now) ?? latestFirst.at(-1)
  if (!signing) return []
  return [signing, ...latestFirst.filter((key) => key !== signing && !isOver(key, latestFirst, now))]
}

/** Tokens last five minutes. A verifier's clock may be behind, and the replicas change keys a moment apart. */
export const publishedAfterMs = 420_000

export type KeyStage = 'next' | 'signing' | 'retired' | 'over'

export function stageOf(key: KeyTimes, keys: readonly KeyTimes[], now: Date): KeyStage {
  if (isOver(key, keys, now)) return 'over'
  if (inSigningOrder(keys, now)[0]?.kid === key.kid) return 'signing'
  return key.signs_from > now ? 'next' : 'retired'
}

/** Returns the time at which the successor begins and the key stops signing; null if there is no successor. */
export function retiresAt(key: KeyTimes, keys: readonly KeyTimes[]): Date | null {
  const later = keys.filter((other) => other.signs_from > key.signs_from)
  return later.length === 0 ? null : new Date(Math.min(...later.map((other) => other.signs_from.getTime())))
}

function isOver(key: KeyTimes, keys: readonly KeyTimes[], now: Date): boolean {
  const retired = retiresAt(key, keys)
  return retired !== null && now.getTime() > retired.getTime() + publishedAfterMs
}

function open(sealer: Sealer, kid: string, sealed: Buffer): PrivateJwk {
  return JSON.parse(sealer.open(sealed, context(kid)).toString()) as PrivateJwk
}

function context(kid: string): string {
  return `signing_key:${kid}`
}
