/**
 * Ends an owner's connection: opens the operation that makes the provider revoke its grant. A client needs the owner's
 * confirmation; the owner at the account page needs none.
 */

import type { Acceptance } from '@financial-agents/contract/route'
import { type Judged, type PerformParts, performWrite, type WriteContext } from '@financial-agents/writes/perform'
import type { GrantRevoke } from './grant-revoke.ts'

export type DisconnectParts = PerformParts & { grantRevoke: GrantRevoke }

/** @throws Problem that refuses the disconnect */
export function disconnectConnection(
  parts: DisconnectParts,
  context: WriteContext,
  judge: () => Omit<Judged<null>, 'input' | 'payload'>,
): Promise<Acceptance> {
  return performWrite(parts, parts.grantRevoke, context, () => ({
    ...judge(),
    input: null,
    // The credentials name the grant to revoke.
    payload: {},
  }))
}
