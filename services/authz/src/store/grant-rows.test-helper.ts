/** Writes rows of grants directly: in every status, ended by any actor, expired or not. */

import { randomUUID } from 'node:crypto'
import type { GrantStatus } from '@financial-agents/contract/schemas/authorization'
import type { TestStore } from './test-store.test-helper.ts'

/** Status, its reason and the end of the term. An expired grant may or may not be ended already. */
const rows = {
  active: `'active', NULL, now() + interval '1 day'`,
  suspended: `'suspended', 'test', now() + interval '1 day'`,
  revoked: `'revoked', 'revoked_by_owner', now() + interval '1 day'`,
  'revoked, and over since': `'revoked', 'revoked_by_owner', now() - interval '1 day'`,
  expired: `'revoked', 'expired', now() - interval '1 day'`,
  overdue: `'active', NULL, now() - interval '1 day'`,
  'overdue and suspended': `'suspended', 'test', now() - interval '1 day'`,
}

const policy = JSON.stringify({ ceilings: { per_payment: null, per_day: null }, confirmation: [] })

export type StoredGrant = keyof typeof rows

export const storedGrants = Object.keys(rows) as StoredGrant[]

/** The status that owners, clients and operators see. */
export const reportedStatus: { readonly [How in StoredGrant]: GrantStatus } = {
  active: 'active',
  suspended: 'suspended',
  revoked: 'revoked',
  'revoked, and over since': 'revoked',
  expired: 'expired',
  overdue: 'expired',
  'overdue and suspended': 'expired',
}

export type GrantValues = {
  client_id?: string
  owner_id?: string
  subject?: string
  created_at?: Date
  status_changed_at?: Date
  updated_at?: Date
}

export async function insertGrant({ read }: TestStore, how: StoredGrant, given: GrantValues = {}): Promise<string> {
  const { client_id = 'app', owner_id = randomUUID(), subject = randomUUID(), created_at = new Date() } = given
  const { updated_at = created_at, status_changed_at = created_at } = given
  const id = randomUUID()
  await read(
    `INSERT INTO grants (grant_id, client_id, kind, owner_id, subject, scopes, policy, status, status_reason, expires_at,
      created_at, updated_at, status_changed_at)
    VALUES ($1, $2, 'human', $3, $4, '{operations:read}', $8, ${rows[how]}, $5, $6, $7)`,
    [id, client_id, owner_id, subject, created_at, updated_at, status_changed_at, policy],
  )
  return id
}

/** Returns the grant of a declared service account, which has no end of its own. */
export async function grantOfService({ read }: TestStore, client_id = 'agent'): Promise<string> {
  const [row] = await read<{ grant_id: string }>(
    `SELECT grant_id FROM grants WHERE client_id = $1 AND kind = 'service' AND status <> 'revoked'`,
    [client_id],
  )
  if (!row) throw new Error(`${client_id} has no grant`)
  return row.grant_id
}
