/** Clients as they were declared. A client is never deleted, so that its history stays explicable. */

import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { Registration } from '../registration/registration.ts'

export type ClientStatus = 'active' | 'suspended'
export type ClientRow = { client_id: string; status: ClientStatus; registration: Registration }

export type Client = {
  registration: Registration
  status: ClientStatus
  /** The unrevoked grant of a service account. */
  service_grant: { grant_id: string; owner_id: string; subject: string; status: 'active' | 'suspended' } | null
}

const all = statement('clients_all', 'SELECT client_id, status, registration FROM clients ORDER BY client_id')

const some = statement(
  'clients_some',
  `SELECT c.client_id, c.registration, c.status, CASE WHEN g.grant_id IS NULL THEN NULL
     ELSE jsonb_build_object('grant_id', g.grant_id, 'owner_id', g.owner_id, 'subject', g.subject, 'status', g.status)
     END AS service_grant
   FROM clients c
   LEFT JOIN grants g ON g.client_id = c.client_id AND g.kind = 'service' AND g.status <> 'revoked'
   WHERE c.client_id = ANY($1)`,
)

const summaries = statement(
  'clients_summaries',
  `SELECT c.client_id, c.registration ->> 'name' AS name, c.profile, c.status, c.registration -> 'scopes' AS scopes,
     (SELECT count(*) FROM grants g WHERE g.client_id = c.client_id AND g.status = 'active'
        AND (g.expires_at IS NULL OR g.expires_at > $1)) AS active_grants,
     c.updated_at
   FROM clients c ORDER BY c.client_id`,
)

const origins = statement(
  'clients_origins',
  `SELECT DISTINCT jsonb_array_elements_text(registration -> 'origins') AS origin
   FROM clients WHERE profile = 'spa' AND status = 'active' ORDER BY origin`,
)

const upsert = statement(
  'clients_upsert',
  `INSERT INTO clients (client_id, profile, status, registration, created_at, updated_at)
   VALUES ($1, $2, 'active', $3, $4, $4)
   ON CONFLICT (client_id) DO UPDATE
   SET profile = $2, status = 'active', registration = $3, updated_at = $4`,
)

const suspend = statement(
  'clients_suspend',
  `UPDATE clients SET status = 'suspended', updated_at = $2 WHERE client_id = $1`,
)

export function listClients(db: Queryable): Promise<ClientRow[]> {
  return db.rows<ClientRow>(all)
}

/** Finds a client of any profile and status, in one read. */
export async function findClient(db: Queryable, clientId: string): Promise<Client | undefined> {
  const [client] = await findClients(db, [clientId])
  return client
}

/** Finds clients in one read. Returns them in the order of the ids, undefined for an unknown id. */
export async function findClients(db: Queryable, clientIds: readonly string[]): Promise<(Client | undefined)[]> {
  const rows = await db.rows<Client & { client_id: string }>(some, [[...new Set(clientIds)]])
  const found = new Map(rows.map(({ client_id, ...client }) => [client_id, client]))
  return clientIds.map((clientId) => found.get(clientId))
}

export type ClientSummary = {
  client_id: string
  name: string
  profile: Registration['profile']
  status: ClientStatus
  scopes: string[]
  active_grants: number
  updated_at: Date
}

/** Lists every client with its number of active grants. */
export function listClientSummaries(db: Queryable, now: Date): Promise<ClientSummary[]> {
  return db.rows<ClientSummary>(summaries, [now])
}

/** Lists the origins of the active browser clients. */
export async function listOrigins(db: Queryable): Promise<string[]> {
  const rows = await db.rows<{ origin: string }>(origins)
  return rows.map((row) => row.origin)
}

export async function recordClient(tx: Queryable, registration: Registration, now: Date): Promise<void> {
  await tx.rows(upsert, [registration.client_id, registration.profile, JSON.stringify(registration), now])
}

export async function recordClientSuspended(tx: Queryable, clientId: string, now: Date): Promise<void> {
  await tx.rows(suspend, [clientId, now])
}
