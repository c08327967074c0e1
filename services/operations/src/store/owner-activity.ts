/**
 * An owner's operations over all clients, by the index of the lists. The query skips from one client to the next. The write path then maintains no additional index.
 */

import { terminalStates } from '@financial-agents/operation-machine/machine'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { ViewRow } from '../tables.ts'

export type OwnerRow = Pick<ViewRow, 'id' | 'kind' | 'state' | 'resource_type' | 'created_at' | 'updated_at'> & {
  client_id: string
  grant_id: string
}

const maxInFlight = 100

/**
 * The number of operations of a client that are searched for the last operation of a grant. The last one of a client is
 * always found.
 */
const lookBackOperations = 1_000

const columns = 'id, client_id, grant_id, kind, state, resource_type, created_at, updated_at'
const terminal = terminalStates.map((state) => `'${state}'`).join(', ')

const readers = `WITH RECURSIVE reader AS (
    (SELECT client_id FROM operations WHERE owner_id = $1 ORDER BY client_id LIMIT 1)
    UNION ALL
    SELECT following.client_id FROM reader CROSS JOIN LATERAL (
      SELECT client_id FROM operations WHERE owner_id = $1 AND client_id > reader.client_id
      ORDER BY client_id LIMIT 1) following
  )`

const newestOf = (filter: string, limit: number) => `reader CROSS JOIN LATERAL (
    SELECT ${columns} FROM operations
    WHERE owner_id = $1 AND client_id = reader.client_id ${filter}
    ORDER BY created_at DESC, id DESC LIMIT ${limit}) newest`

const inFlight = statement(
  'in_flight_of_owner',
  `${readers}
  SELECT newest.* FROM ${newestOf(`AND state NOT IN (${terminal})`, maxInFlight)}
  ORDER BY created_at DESC, id DESC LIMIT ${maxInFlight}`,
)

/** Lists the newest operations of the owner without an outcome, at most 100. */
export function listInFlight(db: Queryable, ownerId: string): Promise<OwnerRow[]> {
  return db.rows<OwnerRow>(inFlight, [ownerId])
}

const latest = statement(
  'latest_of_grants',
  `${readers}
  SELECT DISTINCT ON (grant_id) newest.* FROM ${newestOf('', lookBackOperations)}
  ORDER BY grant_id, created_at DESC, id DESC`,
)

/** Lists the last operation of each grant that its client used within its last 1,000 operations. */
export function listLatestOfGrants(db: Queryable, ownerId: string): Promise<OwnerRow[]> {
  return db.rows<OwnerRow>(latest, [ownerId])
}
