/** The payees of a test user, as far as transfers need them. */

import type { Scheme } from './payout-schemes.ts'
import type { Kept } from './records.ts'
import type { World } from './world.ts'

export type Payee = { readonly fullName: string; readonly scheme: Scheme }

/** Finds a payee that can be paid now. */
export function findPayee(world: World, testUser: string, payeeRef: string): Kept<Payee> | undefined {
  const [payee] = world.payees.find(testUser, { providerRef: payeeRef })
  return payee?.show().status === 'active' ? payee : undefined
}
