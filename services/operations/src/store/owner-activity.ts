/**
 * An owner's operations over all clients, by the index of the lists: its first two steps (client and subject) are skipped
 * from one to the next, so that no index of their own is kept up on the write path.
 */

import { terminalStates } from '@financial-agents/operation-machine/machine'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { ViewRow } from '../tables.ts'

export type OwnerRow = Pick<ViewRow, 'id' | 'kind' | 'state' | 'resource_type' | 'created_at' | 'updated_at'> & {
  client_id: string
  grant_id: string
}

const maxInFlight = 100

/** How far back the last operation of a grant is looked for; the last one of a client is always found. */
const lookBackOperations = 1_000

const columns = 'id, client_id, grant_id, kind, state, resource_type, created_at, updated_at'
const terminal = terminalStates.map((state) => `'${state}'`).join(', ')

const readers = `WITH RECURSIVE reader AS (
    (SELECT client_id, subject FROM operations WHERE owner_id = $1 ORDER BY client_id, subject LIMIT 1)
    UNION ALL
    SELECT following.client_id, following.subject FROM reader CROSS JOIN LATERAL (
      SELECT client_id, subject FROM operations
      WHERE owner_id = $1 AND (client_id, subject) > (reader.client_id, reader.subject)
      ORDER BY client_id, subject LIMIT 1) following
  )`

const newestOf = (filter: string, limit: number) => `reader CROSS JOIN LATERAL (
    SELECT ${columns} FROM operations
    WHERE owner_id = $1 AND client_id = reader.client_id AND subject = reader.subject ${filter}
    ORDER BY created_at DESC, id DESC LIMIT ${limit}) newest`

const inFlight = statement(
  'in_flight_of_owner',
  `${readers}
  SELECT newest.* FROM ${newestOf(`AND state NOT IN (${terminal})`, maxInFlight)}
  ORDER BY created_at DESC, id DESC LIMIT ${maxInFlight}`,
)

/** The newest operations of the owner that have no outcome yet, at most 100. */
export function listInFlight(db: Queryable, ownerId: string): Promise<OwnerRow[]> {
  return db.rows<OwnerRow>(inFlight, [ownerId])
}

const latest = statement(
  'latest_of_grants',
  `${readers}
  SELECT DISTINCT ON (grant_id) newest.* FROM ${newestOf('', lookBackOperations)}
  ORDER BY grant_id, created_at DESC, id DESC`,
)

/** The last operation of each grant that its client used within its last 1,000 operations. */
export function listLatestOfGrants(db: Queryable, ownerId: string): Promise<OwnerRow[]> {
  return db.rows<OwnerRow>(latest, [ownerId])
}
