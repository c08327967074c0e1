/** Signing keys, sealed. The one that was made last signs; the others stay published until they are retired. */

import { type Database, statement } from '@financial-agents/postgres/database'
import type { Sealer } from '@financial-agents/runtime/sealing'

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

const lock = statement(
  'signing_keys_lock',
  `SELECT pg_advisory_xact_lock(hashtext(current_schema() || '.signing_keys'))`,
)
const all = statement(
  'signing_keys_all',
  'SELECT kid, private_jwk_sealed FROM signing_keys ORDER BY created_at DESC, kid',
)
const insert = statement(
  'signing_keys_insert',
  'INSERT INTO signing_keys (kid, private_jwk_sealed, created_at) VALUES ($1, $2, $3)',
)

/** The keys, the signing one first. Where there is none yet, one replica makes one and the others read it. */
export function getSigningKeys(
  db: Database,
  sealer: Sealer,
  make: () => Promise<PrivateJwk>,
  now: Date,
): Promise<PrivateJwk[]> {
  return db.transaction(async (tx) => {
    await tx.rows(lock)
    const rows = await tx.rows<{ kid: string; private_jwk_sealed: Buffer }>(all)
    if (rows.length > 0) return rows.map((row) => open(sealer, row.kid, row.private_jwk_sealed))
    const key = await make()
    await tx.rows(insert, [key.kid, sealer.seal(Buffer.from(JSON.stringify(key)), context(key.kid)), now])
    return [key]
  })
}

function open(sealer: Sealer, kid: string, sealed: Buffer): PrivateJwk {
  return JSON.parse(sealer.open(sealed, context(kid)).toString()) as PrivateJwk
}

function context(kid: string): string {
  return `signing_key:${kid}`
}
