/**
 * Protocol artifacts of the library (codes, sessions, refresh tokens, …): found by the hash of their id, sealed at
 * rest. Expired rows stay readable until they are pruned, because the library distinguishes expired from unknown.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'
import { hashId } from '@financial-agents/postgres/hash-id'
import type { Sealer } from '@financial-agents/runtime/sealing'

export type ArtifactKeys = { grantId?: string | undefined; uid?: string | undefined; userCode?: string | undefined }
export type StoredArtifact = {
  payload: Record<string, unknown>
  consumedAt: Date | null
  expiresAt: Date | null
  /** The bytes in the row, for `replace`. */
  sealed: Buffer
}
type Row = { id_hash: Buffer; payload_sealed: Buffer; consumed_at: Date | null; expires_at: Date | null }

const columns = 'id_hash, payload_sealed, consumed_at, expires_at'
const byId = statement('artifacts_by_id', `SELECT ${columns} FROM artifacts WHERE model = $1 AND id_hash = $2`)
const byUid = statement(
  'artifacts_by_uid',
  // A session's uid outlives its ids. All rows of that uid but one have ended.
  `SELECT ${columns} FROM artifacts WHERE model = $1 AND uid_hash = $2 AND consumed_at IS NULL
   ORDER BY expires_at DESC NULLS FIRST LIMIT 1`,
)
const byUserCode = statement(
  'artifacts_by_user_code',
  `SELECT ${columns} FROM artifacts WHERE model = $1 AND user_code_hash = $2 ORDER BY expires_at DESC NULLS FIRST LIMIT 1`,
)
// A consumed or ended artifact stays so, even if a request writes back what it read before.
const upsert = statement(
  'artifacts_upsert',
  `INSERT INTO artifacts (model, id_hash, payload_sealed, grant_hash, uid_hash, user_code_hash, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7)
   ON CONFLICT (model, id_hash) DO UPDATE SET payload_sealed = $3, grant_hash = $4, uid_hash = $5, user_code_hash = $6,
     expires_at = $7 WHERE artifacts.consumed_at IS NULL`,
)
// The first writer of an id wins; one that comes at the same time waits for it.
const claim = statement(
  'artifacts_claim',
  `INSERT INTO artifacts (model, id_hash, payload_sealed, expires_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (model, id_hash) DO NOTHING RETURNING 1`,
)
const consume = statement(
  'artifacts_consume',
  `UPDATE artifacts SET consumed_at = $3 WHERE model = $1 AND id_hash = $2 AND consumed_at IS NULL RETURNING 1`,
)
const replace = statement(
  'artifacts_replace',
  `UPDATE artifacts SET payload_sealed = $3, grant_hash = $4, user_code_hash = $5
   WHERE model = $1 AND id_hash = $2 AND payload_sealed = $6 AND consumed_at IS NULL RETURNING 1`,
)
const prolong = statement(
  'artifacts_prolong',
  `UPDATE artifacts SET expires_at = $3 WHERE model = $1 AND id_hash = $2 AND consumed_at IS NULL`,
)
const destroy = statement('artifacts_destroy', 'DELETE FROM artifacts WHERE model = $1 AND id_hash = $2 RETURNING 1')
// Rows are locked in the same order everywhere. Two transactions that delete the artifacts of one grant then wait for
// each other and never deadlock.
const ofGrant = (condition: string) => `DELETE FROM artifacts WHERE (model, id_hash) IN (
     SELECT model, id_hash FROM artifacts WHERE ${condition} ORDER BY model, id_hash FOR UPDATE)`
const revoke = statement('artifacts_revoke', ofGrant('model = $1 AND grant_hash = $2'))
// An interaction is a question to the owner and gives no authority. A consent that replaces the grant still answers it
// afterwards.
const deleteOfGrant = statement('artifacts_delete_of_grant', ofGrant(`grant_hash = $1 AND model <> 'Interaction'`))

export function createArtifactStore(db: Queryable, sealer: Sealer, model: string) {
  const context = (idHash: Buffer) => `artifact:${model}:${idHash.toString('base64url')}`
  const first = async (query: typeof byId, id: string): Promise<StoredArtifact | undefined> => {
    const [row] = await db.rows<Row>(query, [model, hashId(id)])
    if (!row) return undefined
    const opened = sealer.open(row.payload_sealed, context(row.id_hash)).toString()
    return {
      payload: JSON.parse(opened) as Record<string, unknown>,
      consumedAt: row.consumed_at,
      expiresAt: row.expires_at,
      sealed: row.payload_sealed,
    }
  }
  return {
    find: (id: string) => first(byId, id),
    findByUid: (uid: string) => first(byUid, uid),
    findByUserCode: (userCode: string) => first(byUserCode, userCode),
    record: async (id: string, payload: object, keys: ArtifactKeys, expiresAt: Date | null): Promise<void> => {
      const idHash = hashId(id)
      const sealed = sealer.seal(Buffer.from(JSON.stringify(payload)), context(idHash))
      const { grantId, uid, userCode } = keys
      await db.rows(upsert, [model, idHash, sealed, hashed(grantId), hashed(uid), hashed(userCode), expiresAt])
    },
    /** Returns true for the one caller that recorded this id. */
    claim: async (id: string, payload: object, expiresAt: Date): Promise<boolean> => {
      const idHash = hashId(id)
      const sealed = sealer.seal(Buffer.from(JSON.stringify(payload)), context(idHash))
      return (await db.rows(claim, [model, idHash, sealed, expiresAt])).length === 1
    },
    /** Returns true for the one caller that consumed it. */
    consume: async (id: string, now: Date): Promise<boolean> =>
      (await db.rows(consume, [model, hashId(id), now])).length === 1,
    /**
     * Overwrites the content that was read as `before`, and returns the new content. Returns undefined if the row has
     * changed since.
     */
    replace: async (id: string, payload: object, keys: ArtifactKeys, before: Buffer): Promise<Buffer | undefined> => {
      const idHash = hashId(id)
      const sealed = sealer.seal(Buffer.from(JSON.stringify(payload)), context(idHash))
      const values = [model, idHash, sealed, hashed(keys.grantId), hashed(keys.userCode), before]
      return (await db.rows(replace, values)).length === 1 ? sealed : undefined
    },
    /** Moves the expiry of an artifact that is not consumed. */
    prolong: async (id: string, expiresAt: Date): Promise<void> => {
      await db.rows(prolong, [model, hashId(id), expiresAt])
    },
    /** Returns true for the one caller that deleted it. */
    destroy: async (id: string): Promise<boolean> => (await db.rows(destroy, [model, hashId(id)])).length === 1,
    revokeByGrantId: async (grantId: string): Promise<void> => {
      await db.rows(revoke, [model, hashId(grantId)])
    },
  }
}

export type ArtifactStore = ReturnType<typeof createArtifactStore>

/** Deletes all artifacts of a grant, except its interactions. */
export async function deleteArtifactsOfGrant(tx: Queryable, grantHash: Buffer): Promise<void> {
  await tx.rows(deleteOfGrant, [grantHash])
}

function hashed(value: string | undefined): Buffer | null {
  return value === undefined ? null : hashId(value)
}
