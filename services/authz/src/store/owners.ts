/**
 * Owners for pages, GET /v1/identity and GET /v1/onboarding. The data is for display only and is updated at each
 * sign-in.
 */

import type { OwnerIdentity } from '@financial-agents/bus/messages/authority'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'

export type Owner = {
  owner_id: string
  display_name: string | null
  /** A BCP 47 tag. */
  locale: string
  /** An IANA name. */
  timezone: string
}

const upsert = statement(
  'owners_upsert',
  `INSERT INTO owners (owner_id, display_name, locale, timezone, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)
   ON CONFLICT (owner_id) DO UPDATE SET display_name = $2, locale = $3, timezone = $4, updated_at = $5`,
)
const one = statement('owners_one', 'SELECT owner_id, display_name, locale, timezone FROM owners WHERE owner_id = $1')

export async function recordOwner(db: Queryable, owner: Owner, now: Date): Promise<void> {
  await db.rows(upsert, [owner.owner_id, owner.display_name, owner.locale, owner.timezone, now])
}

export async function findOwner(db: Queryable, ownerId: string): Promise<Owner | undefined> {
  const [row] = await db.rows<Owner>(one, [ownerId])
  return row
}

const unknown: OwnerIdentity = { display_name: null, locale: 'en', timezone: 'UTC' }

/** Returns defaults for an owner who never signed in and is known only as the owner of a service account. */
export async function getOwnerIdentity(db: Queryable, ownerId: string): Promise<OwnerIdentity> {
  const owner = isUuid(ownerId) ? await findOwner(db, ownerId) : undefined
  if (owner === undefined) return unknown
  const { display_name, locale, timezone } = owner
  return { display_name, locale, timezone }
}
