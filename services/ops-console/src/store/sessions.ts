/**
 * Sessions of operators. The browser holds a random id; the row holds its hash. The operator's name, the scopes and the
 * key that binds the tokens are sealed.
 *
 * Invariant: a session ends after 15 minutes without use, and after eight hours in any case.
 */

import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { Operator } from '@financial-agents/bus/rpc'
import type { OperatorScope } from '@financial-agents/contract/scopes'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { hashId } from '@financial-agents/postgres/hash-id'
import type { Sealer } from '@financial-agents/runtime/sealing'

export const sessionIdleMs = 15 * 60_000
export const sessionLifetimeMs = 8 * 3_600_000

export type Session = {
  /** The hash of the id in base64url. It names the session where its id, a secret, must not appear. */
  key: string
  operator: Operator
  scopes: readonly OperatorScope[]
  /** The P-256 key that tokens and proofs of this session are bound to. */
  proofKey: KeyObject
}

type Content = { name: string | null; scopes: OperatorScope[]; proof_key: JsonWebKey }
type Row = { operator_id: string; content_sealed: Buffer }

const insert = statement(
  'sessions_insert',
  'INSERT INTO sessions (id_hash, operator_id, content_sealed, used_at, expires_at) VALUES ($1, $2, $3, $4, $5)',
)
const find = statement(
  'sessions_find',
  'SELECT operator_id, content_sealed FROM sessions WHERE id_hash = $1 AND expires_at > $2 AND used_at > $3',
)
const use = statement(
  'sessions_use',
  `UPDATE sessions SET used_at = greatest(used_at, $2) WHERE id_hash = $1 AND expires_at > $2 AND used_at > $3
   RETURNING operator_id, content_sealed`,
)
const end = statement('sessions_end', 'DELETE FROM sessions WHERE id_hash = $1')

const context = (hash: Buffer) => `session:${hash.toString('base64url')}`

export function createSessionStore(db: Queryable, sealer: Sealer) {
  return {
    record: async (id: string, session: Omit<Session, 'key'>, now: Date): Promise<void> => {
      const hash = hashId(id)
      const { operator, scopes, proofKey } = session
      const content: Content = {
        name: operator.name,
        scopes: [...scopes],
        proof_key: proofKey.export({ format: 'jwk' }),
      }
      const sealed = sealer.seal(Buffer.from(JSON.stringify(content)), context(hash))
      await db.rows(insert, [hash, operator.id, sealed, now, new Date(now.getTime() + sessionLifetimeMs)])
    },
    /** Returns a session that is not over. `isUse`: the operator uses it, so its 15 minutes start again. */
    find: async (id: string, now: Date, isUse: boolean): Promise<Session | undefined> => {
      const hash = hashId(id)
      const idleSince = new Date(now.getTime() - sessionIdleMs)
      const [row] = await db.rows<Row>(isUse ? use : find, [hash, now, idleSince])
      if (!row) return undefined
      const content = JSON.parse(sealer.open(row.content_sealed, context(hash)).toString()) as Content
      return {
        key: hash.toString('base64url'),
        operator: { id: row.operator_id, name: content.name },
        scopes: content.scopes,
        proofKey: createPrivateKey({ key: content.proof_key, format: 'jwk' }),
      }
    },
    end: async (id: string): Promise<void> => {
      await db.rows(end, [hashId(id)])
    },
  }
}

export type SessionStore = ReturnType<typeof createSessionStore>
