/** GET /v1/beneficiaries/{beneficiary_id}. Another owner's beneficiary gets the same answer as a missing one. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { beneficiariesRoutes } from '@financial-agents/contract/routes/beneficiaries'
import type { Dependencies } from '../dependencies.ts'
import { findSettledBeneficiary } from '../settled-beneficiaries.ts'

export function getBeneficiary(dependencies: Dependencies): Handlers<typeof beneficiariesRoutes>['getBeneficiary'] {
  return async ({ params }, { principal }) => {
    const beneficiary = await findSettledBeneficiary(dependencies, principal.owner_id, params.beneficiary_id)
    if (!beneficiary) throw new Problem('beneficiary_not_found')
    const { upstream_reference: _, ...shown } = beneficiary
    return shown
  }
}
