/**
 * The logos of applications. Each is fetched once for a registration, by one replica, and again when the registration changes. A logo
 * that could not be taken is tried again after an hour.
 *
 * Invariant: a logo is shown only while its client is registered with the address that it came from.
 */

import { createHash } from 'node:crypto'
import type { PictureType } from '@financial-agents/pages/picture'
import { type Queryable, statement } from '@financial-agents/postgres/database'

/** A registration whose logo has to be fetched. */
export type WantedLogo = { client_id: string; logo_uri: string; registered_at: Date }

export type KeptLogo = { media_type: PictureType; bytes: Buffer }

const retryMs = 3_600_000

const forget = statement(
  'client_logos_forget',
  `DELETE FROM client_logos l USING clients c
   WHERE c.client_id = l.client_id AND c.registration ->> 'logo_uri' IS DISTINCT FROM l.logo_uri`,
)

const wanted = statement(
  'client_logos_wanted',
  `SELECT c.client_id, c.registration ->> 'logo_uri' AS logo_uri, c.updated_at AS registered_at
   FROM clients c LEFT JOIN client_logos l ON l.client_id = c.client_id
   WHERE c.status = 'active' AND c.registration ->> 'logo_uri' IS NOT NULL
     AND (l.client_id IS NULL OR l.registered_at <> c.updated_at OR (l.bytes IS NULL AND l.tried_at < $1))
   ORDER BY c.client_id LIMIT $2`,
)

const claim = statement(
  'client_logos_claim',
  `INSERT INTO client_logos AS l (client_id, logo_uri, registered_at, tried_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (client_id) DO UPDATE
   SET logo_uri = $2, registered_at = $3, tried_at = $4, media_type = NULL, digest = NULL, bytes = NULL
   WHERE l.registered_at <> $3 OR (l.bytes IS NULL AND l.tried_at < $5)
   RETURNING l.client_id`,
)

const record = statement(
  'client_logos_record',
  `UPDATE client_logos SET media_type = $3, digest = $4, bytes = $5 WHERE client_id = $1 AND registered_at = $2`,
)

const digests = statement(
  'client_logos_digests',
  `SELECT l.client_id, l.digest FROM client_logos l JOIN clients c ON c.client_id = l.client_id
   WHERE l.client_id = ANY($1) AND l.digest IS NOT NULL AND l.logo_uri = c.registration ->> 'logo_uri'`,
)

const byDigest = statement(
  'client_logos_by_digest',
  'SELECT media_type, bytes FROM client_logos WHERE digest = $1 LIMIT 1',
)

/** Lists registrations whose logo has to be fetched. Deletes logos from an address that is no longer registered. */
export async function listWantedLogos(db: Queryable, now: Date, limit: number): Promise<WantedLogo[]> {
  await db.rows(forget)
  return db.rows<WantedLogo>(wanted, [new Date(now.getTime() - retryMs), limit])
}

/** Returns true to the one replica that shall fetch the logo. */
export async function claimLogo(
  db: Queryable,
  { client_id, logo_uri, registered_at }: WantedLogo,
  now: Date,
): Promise<boolean> {
  const before = new Date(now.getTime() - retryMs)
  return (await db.rows(claim, [client_id, logo_uri, registered_at, now, before])).length > 0
}

export async function recordLogo(
  db: Queryable,
  { client_id, registered_at }: WantedLogo,
  { media_type, bytes }: KeptLogo,
): Promise<void> {
  const digest = createHash('sha256').update(bytes).digest('hex')
  await db.rows(record, [client_id, registered_at, media_type, digest, bytes])
}

/** A client without a logo is left out. */
export async function findLogoDigests(db: Queryable, clientIds: readonly string[]): Promise<Map<string, string>> {
  if (clientIds.length === 0) return new Map()
  const rows = await db.rows<{ client_id: string; digest: string }>(digests, [[...new Set(clientIds)]])
  return new Map(rows.map(({ client_id, digest }) => [client_id, digest]))
}

export async function findLogo(db: Queryable, digest: string): Promise<KeptLogo | undefined> {
  const [logo] = await db.rows<KeptLogo>(byDigest, [digest])
  return logo
}
