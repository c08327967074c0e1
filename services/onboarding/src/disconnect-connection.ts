/**
 * Ends an owner's connection: opens the operation that makes the provider revoke its grant. A client needs the owner's
 * confirmation; the owner at the account page needs none.
 */

import type { Acceptance } from '@financial-agents/contract/route'
import {
  type PerformDependencies,
  performWrite,
  type WriteContext,
  type WriteDraft,
} from '@financial-agents/writes/perform'
import type { GrantRevoke } from './grant-revoke.ts'

export type DisconnectDependencies = PerformDependencies & { grantRevoke: GrantRevoke }

/** @throws Problem that refuses the disconnect */
export function disconnectConnection(
  dependencies: DisconnectDependencies,
  context: WriteContext,
  validate: () => Omit<WriteDraft<null>, 'input' | 'payload'>,
): Promise<Acceptance> {
  return performWrite(dependencies, dependencies.grantRevoke, context, () => ({
    ...validate(),
    input: null,
    // The credentials name the grant to revoke.
    payload: {},
  }))
}
