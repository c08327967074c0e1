/** Reads of bindings. Other services pass ids of any form; an id that is not a UUID is treated as unknown. */

import type { Binding, SealedCredentials } from '@financial-agents/bus/messages/authority'
import type { ServiceConnection } from '@financial-agents/contract/schemas/service-connection'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { providerName } from './provider-names.ts'

export const currentBindings = statement(
  'onboarding_current_bindings',
  `SELECT DISTINCT ON (owner_id) id AS binding_id, owner_id, status,
          provider, display_name, source, connected_at FROM bindings
   WHERE owner_id = ANY($1::uuid[]) ORDER BY owner_id, status = 'connected' DESC, status = 'disconnecting' DESC, connected_at DESC`,
)

type CurrentRow = Omit<Binding, 'connected_at' | 'provider_name'> & {
  provider: string
  display_name: string | null
  connected_at: Date
}

/** Returns one binding of each owner that has any: the connected one, else one that is ending, else the latest. */
export async function listCurrentBindings(db: Queryable, ownerIds: readonly string[]): Promise<Binding[]> {
  const rows = await db.rows<CurrentRow>(currentBindings, [ownerIds.filter(isUuid)])
  return rows.map(({ provider, display_name, connected_at, ...row }) => ({
    ...row,
    provider_name: providerName({ provider, display_name }),
    connected_at: connected_at.toISOString(),
  }))
}

export const connectionOfOwner = statement(
  'onboarding_connection_of_owner',
  `SELECT id, status, provider, display_name, connected_at FROM bindings
   WHERE owner_id = $1 AND status <> 'disconnected' ORDER BY status = 'connected' DESC, connected_at DESC LIMIT 1`,
)

/** Returns the owner's connection as clients see it: the connected one, else the latest one that is ending. */
export async function findConnection(db: Queryable, ownerId: string): Promise<ServiceConnection | undefined> {
  if (!isUuid(ownerId)) return undefined
  const [row] = await db.rows<ConnectionRow>(connectionOfOwner, [ownerId])
  if (row === undefined) return undefined
  const { id, status, connected_at } = row
  return { id, status, provider_name: providerName(row), connected_at: connected_at.toISOString() }
}

const connected = statement(
  'onboarding_is_connected',
  `SELECT 1 AS connected FROM bindings WHERE id = $1 AND status = 'connected'`,
)

export async function isConnected(db: Queryable, bindingId: string): Promise<boolean> {
  return (await db.rows(connected, [bindingId])).length > 0
}

type ConnectionRow = Pick<CurrentRow, 'provider' | 'display_name' | 'connected_at'> &
  Pick<ServiceConnection, 'id' | 'status'>

export const sealedCredentials = statement(
  'onboarding_sealed_credentials',
  `SELECT id AS binding_id, provider, encode(credentials_sealed, 'base64') AS credentials_sealed FROM bindings
   WHERE id = ANY($1::uuid[]) AND credentials_sealed IS NOT NULL`,
)

/**
 * Returns credentials for every status. Operations of a binding that is ending or over are still settled by reads. The fence,
 * not missing credentials, stops its submissions (write protocol, rules 8 and 16).
 */
export function listSealedCredentials(db: Queryable, bindingIds: readonly string[]): Promise<SealedCredentials[]> {
  return db.rows<SealedCredentials>(sealedCredentials, [bindingIds.filter(isUuid)])
}
