/** The beneficiaries of a test user, as far as transfers need them. */

import type { RecordOf } from './records.ts'
import { type Beneficiary } from './resources.ts'
import type { World } from './world.ts'

/** Finds a beneficiary that can be paid now. */
export function findBeneficiary(world: World, testUser: string, reference: string): RecordOf<Beneficiary> | undefined {
  const [beneficiary] = world.beneficiaries.find(testUser, { providerRef: reference })
  return beneficiary?.show().status === 'succeeded' ? beneficiary : undefined
}
