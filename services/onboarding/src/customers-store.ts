/**
 * Maps a provider's customers to owners. A row is written once, so a sign-in as another person never reaches an owner's
 * grants.
 */

import type { OwnerReference } from '@financial-agents/bus/messages/owner-events'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'

export type Customer = { provider: string; reference: string }

const insert = statement(
  'onboarding_customer',
  `INSERT INTO customers (provider, reference, owner_id, created_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT DO NOTHING RETURNING owner_id`,
)

/** Waits for any transaction that is recording the same customer or owner. Returns false if either was known before. */
export async function recordCustomer(
  tx: Queryable,
  { provider, reference }: Customer,
  ownerId: string,
  now: Date,
): Promise<boolean> {
  return (await tx.rows(insert, [provider, reference, ownerId, now])).length === 1
}

const owner = statement(
  'onboarding_owner_of_customer',
  'SELECT owner_id FROM customers WHERE provider = $1 AND reference = $2 FOR UPDATE',
)

/** Locks the row until the transaction ends, so that sign-ins of one person run one after another. */
export async function findOwnerOfCustomer(tx: Queryable, customer: Customer): Promise<string | undefined> {
  const [row] = await tx.rows<{ owner_id: string }>(owner, [customer.provider, customer.reference])
  return row?.owner_id
}

const shownOwner = statement(
  'onboarding_shown_owner',
  'SELECT owner_id FROM customers WHERE provider = $1 AND reference = $2',
)

/** Reads the owner of a customer for an operator; null if there is none. Unlike {@link findOwnerOfCustomer}, it locks nothing. */
export async function readOwnerOfCustomer(db: Queryable, { provider, reference }: Customer): Promise<string | null> {
  // PostgreSQL cannot store NUL, so no customer has such a reference.
  if (reference.includes('\0')) return null
  const [row] = await db.rows<{ owner_id: string }>(shownOwner, [provider, reference])
  return row?.owner_id ?? null
}

const ofOwners = statement(
  'onboarding_customers_of_owners',
  `SELECT c.* FROM unnest($1::uuid[]) AS item (id)
   CROSS JOIN LATERAL (SELECT owner_id, provider, reference FROM customers WHERE owner_id = item.id ORDER BY provider LIMIT 1) c`,
)

/** Reads the reference of each owner who ever signed in. Owners have one provider. */
export async function listReferencesOfOwners(db: Queryable, ownerIds: readonly string[]): Promise<OwnerReference[]> {
  return db.rows<OwnerReference>(ofOwners, [ownerIds.filter(isUuid)])
}
