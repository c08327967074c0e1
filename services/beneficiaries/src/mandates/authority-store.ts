/**
 * The grants that may pay under mandates, in rows that are written once and never changed (write protocol, rule 18).
 * The end of a grant ends the effect of its rows for good, because nothing more is accepted or claimed by the grant. A
 * renewal of authority writes new rows.
 */

import type { AuthorizeMandatesRequest, MandateAuthority } from '@financial-agents/bus/messages/resources'
import { type Queryable, statement } from '@financial-agents/postgres/database'

const confirm = statement(
  'mandate_authorities_confirm',
  `INSERT INTO mandate_authorities (mandate_id, client_id, grant_id, how, given_at)
   SELECT mandate_id, client_id, grant_id, 'confirmed', $2
   FROM jsonb_to_recordset($1::jsonb) AS d(mandate_id uuid, client_id text, grant_id text)`,
)

// A mandate that the owner ticked may have ended meanwhile. Its row tells whether it may still be paid, and which
// clients it names.
export const consent = statement(
  'mandate_authorities_consent',
  `INSERT INTO mandate_authorities (mandate_id, client_id, grant_id, how, given_at)
   SELECT id, $3, $4, 'consented', $5 FROM mandates
   WHERE id = ANY ($1::uuid[]) AND owner_id = $2 AND $3 = ANY (authorized_clients)
     AND state IN ('pending', 'active') AND expires_at > $5
   ORDER BY id ON CONFLICT DO NOTHING`,
)

export const ofGrant = statement(
  'mandate_authorities_of_grant',
  `SELECT mandate_id FROM mandate_authorities
   WHERE mandate_id = ANY ($1::uuid[]) AND client_id = $2 AND grant_id = $3 ORDER BY mandate_id`,
)

const ofMandate = statement(
  'mandate_authorities_of_mandate',
  'SELECT client_id, grant_id FROM mandate_authorities WHERE mandate_id = $1',
)

/** Records the authorities of mandates in draft. They take effect with the mandate. */
export async function recordConfirmed(
  tx: Queryable,
  given: readonly (MandateAuthority & { mandate_id: string })[],
  now: Date,
): Promise<void> {
  if (given.length > 0) await tx.rows(confirm, [JSON.stringify(given), now])
}

/** Returns the mandates under which the grant now has authority. A repetition changes nothing. */
export async function recordConsented(
  db: Queryable,
  { owner_id, client_id, grant_id, mandate_ids }: AuthorizeMandatesRequest,
  now: Date,
): Promise<string[]> {
  await db.rows(consent, [mandate_ids, owner_id, client_id, grant_id, now])
  const rows = await db.rows<{ mandate_id: string }>(ofGrant, [mandate_ids, client_id, grant_id])
  return rows.map((row) => row.mandate_id)
}

/** True if exactly these authorities were drafted with the mandate. */
export async function areDrafted(
  db: Queryable,
  mandateId: string,
  wanted: readonly MandateAuthority[],
): Promise<boolean> {
  const rows = await db.rows<MandateAuthority>(ofMandate, [mandateId])
  const text = ({ client_id, grant_id }: MandateAuthority) => JSON.stringify([client_id, grant_id])
  const drafted = new Set(rows.map(text))
  return rows.length === wanted.length && wanted.every((one) => drafted.has(text(one)))
}
