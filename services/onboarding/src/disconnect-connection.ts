/**
 * Ends an owner's connection: opens the operation that has the provider revoke what it granted. For a client with the
 * owner's confirmation, for the owner at the account page without.
 */

import type { Acceptance } from '@financial-agents/contract/route'
import { type Judged, type PerformParts, performWrite, type WriteContext } from '@financial-agents/writes/perform'
import type { GrantRevoke } from './grant-revoke.ts'

export type DisconnectParts = PerformParts & { grantRevoke: GrantRevoke }

/** @throws Problem whatever refuses it */
export function disconnectConnection(
  parts: DisconnectParts,
  context: WriteContext,
  judge: () => Omit<Judged<null>, 'input' | 'payload'>,
): Promise<Acceptance> {
  return performWrite(parts, parts.grantRevoke, context, () => ({
    ...judge(),
    input: null,
    // What is revoked is named by the credentials.
    payload: {},
  }))
}
