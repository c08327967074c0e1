/** GET /v1/beneficiaries/payout-schemas/{payout_schema_id}. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { beneficiariesRoutes } from '@financial-agents/contract/routes/beneficiaries'
import type { Dependencies } from '../dependencies.ts'

export function getPayoutSchema(dependencies: Dependencies): Handlers<typeof beneficiariesRoutes>['getPayoutSchema'] {
  return async ({ params }, context) => {
    const schemas = await dependencies.providerReads.getPayoutSchemas(context)
    const found = schemas.get(params.payout_schema_id)
    if (!found) throw new Problem('payout_schema_not_found')
    return found.schema
  }
}
