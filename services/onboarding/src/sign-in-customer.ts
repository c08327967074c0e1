/**
 * Signs a person in whom the provider has identified, as the known owner or a new one, in one transaction. A connected
 * binding gets the new credentials. Without one, the credentials are kept for the owner to connect with.
 *
 * Invariant: signing in never makes a binding. A customer has one owner, however many sign-ins end at once on any
 * replica. All sign-ins take the same locks in the same order: bindings (against `apply-bindings`), the sign-in, the
 * customer.
 */

import { randomUUIDv7 } from 'node:crypto'
import type { FinishSignInAnswer } from '@financial-agents/bus/messages/sign-in'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import type { PolledDeviceAuthentication } from '@financial-agents/provider-port/device-authentication'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { type Changing, findOpened, type LivingBinding, lockBindings, replaceBinding } from './binding-changes.ts'
import { type Customer, findOwnerOfCustomer, recordCustomer } from './customers-store.ts'
import { credentialsContext, findSignInLocked, recordResult, resultOf } from './sign-ins-store.ts'

type Approved = Extract<PolledDeviceAuthentication, { type: 'approved' }>

export async function signInCustomer(
  dependencies: { db: Database; sealer: Sealer; clock: Clock; providerName: string },
  idHash: Buffer,
  { customer, credentials }: Approved,
): Promise<FinishSignInAnswer> {
  const answer = await dependencies.db.transaction(async (tx): Promise<FinishSignInAnswer> => {
    await lockBindings(tx)
    const row = await findSignInLocked(tx, idHash)
    if (row === undefined) return { type: 'expired' }
    const known = resultOf(row)
    if (known) return known
    const changing = { tx, sealer: dependencies.sealer, now: dependencies.clock.now() }
    const { providerName: provider } = dependencies
    const owner_id = await getOwner(changing, { provider, reference: customer.reference })
    const isConnected = await refreshConnection(changing, owner_id, { provider, credentials })
    const { display_name, locale, timezone } = customer
    const result = { type: 'signed_in', owner: { owner_id, display_name, locale, timezone } } as const
    const kept = isConnected ? null : dependencies.sealer.seal(Buffer.from(credentials), credentialsContext(idHash))
    await recordResult(tx, idHash, result, kept)
    failpoint('sign_in.before_commit')
    return result
  })
  failpoint('sign_in.after_commit')
  return answer
}

async function getOwner({ tx, now }: Changing, customer: Customer): Promise<string> {
  await recordCustomer(tx, customer, randomUUIDv7(), now)
  const owner = await findOwnerOfCustomer(tx, customer)
  if (owner === undefined) throw new Error('a customer that was just recorded is gone')
  return owner
}

export const livingBinding = statement(
  'onboarding_living_binding_of_owner',
  `SELECT id, owner_id, provider, display_name, status, source, credentials_sealed FROM bindings
   WHERE owner_id = $1 AND status <> 'disconnected'
   ORDER BY status = 'connected' DESC, connected_at DESC LIMIT 1 FOR UPDATE`,
)

/** Returns the owner's connection that is not over, the connected one first. Locks it until the transaction ends. */
export async function findLivingLocked(tx: Queryable, ownerId: string): Promise<LivingBinding | undefined> {
  return (await tx.rows<LivingBinding>(livingBinding, [ownerId]))[0]
}

/**
 * Returns true if the owner is connected. A connection that is ending keeps its own credentials, to settle what it
 * began.
 */
async function refreshConnection(
  changing: Changing,
  owner_id: string,
  { provider, credentials }: { provider: string; credentials: string },
): Promise<boolean> {
  const row = await findLivingLocked(changing.tx, owner_id)
  if (row?.status !== 'connected') return false
  // A sign-in does not replace credentials of a binding that was declared for another provider.
  if (row.provider === provider && findOpened(changing.sealer, row) !== credentials)
    await replaceBinding(changing, row, { display_name: row.display_name, source: row.source, credentials })
  return true
}
