/** The beneficiaries of a test user, as far as transfers need them. */

import type { PayoutSchema } from '@financial-agents/provider-port/payout-schemas'
import type { Kept } from './records.ts'
import type { World } from './world.ts'

export type Beneficiary = { readonly name: string; readonly payoutSchema: PayoutSchema }

/** Finds a beneficiary that can be paid now. */
export function findBeneficiary(world: World, testUser: string, reference: string): Kept<Beneficiary> | undefined {
  const [beneficiary] = world.beneficiaries.find(testUser, { providerRef: reference })
  return beneficiary?.show().status === 'succeeded' ? beneficiary : undefined
}
