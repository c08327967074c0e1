/**
 * One use of client assertions and DPoP proofs. A use inserts the id. If the primary key refuses the insertion, in this
 * or any other process, the use is a replay.
 */

import { createBatcher } from '@financial-agents/postgres/batcher'
import { type Database, statement } from '@financial-agents/postgres/database'
import { hashId } from '@financial-agents/postgres/hash-id'

const claim = statement(
  'replays_claim',
  `INSERT INTO replays (id_hash, expires_at) SELECT id_hash, $2 FROM unnest($1::bytea[]) AS id_hash
   ON CONFLICT DO NOTHING RETURNING id_hash`,
)

type Claim = { key: string; hash: Buffer }

/** Returns true for the first use of an id, and false for every other one. */
export type ClaimOnce = (id: string) => Promise<boolean>

export function createClaimOnce(db: Database, expiresAt: () => Date): ClaimOnce {
  const batcher = createBatcher<Claim, boolean>({
    maxItems: 64,
    // One batch at a time: the next one collects what arrives meanwhile.
    concurrency: 1,
    target: (item) => item.key,
    run: async (items) => {
      // The rows are sorted everywhere, so that replicas wait for each other and never deadlock.
      const hashes = items.map((item) => item.hash).toSorted((one, other) => one.compare(other))
      const rows = await db.rows<{ id_hash: Buffer }>(claim, [hashes, expiresAt()])
      const first = new Set(rows.map((row) => row.id_hash.toString('base64')))
      return new Map(items.map((item) => [item.key, first.has(item.key)]))
    },
  })
  return (id) => {
    const hash = hashId(id)
    return batcher.submit({ key: hash.toString('base64'), hash })
  }
}
