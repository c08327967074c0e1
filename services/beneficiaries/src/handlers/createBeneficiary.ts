/**
 * POST /v1/beneficiaries: validates the details against the payout schema. The details leave in the sealed payload, and
 * only masks stay.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { beneficiariesRoutes } from '@financial-agents/contract/routes/beneficiaries'
import { performWrite } from '@financial-agents/writes/perform'
import { beneficiaryCreate } from '../beneficiary-writes.ts'
import { checkBody } from '../check-body.ts'
import type { Dependencies } from '../dependencies.ts'
import { maskDetails } from '../masks.ts'

export function createBeneficiary(
  dependencies: Dependencies,
): Handlers<typeof beneficiariesRoutes>['createBeneficiary'] {
  return ({ body }, context) =>
    performWrite(dependencies, beneficiaryCreate, context, async () => {
      const { schema, details } = checkBody(body, await dependencies.providerReads.getPayoutSchemas(context))
      const { name, country, currency, payout_schema_id } = body
      const { nickname = null, purpose_code = null, is_external = false } = body
      const shown = { name, nickname, country, currency, payout_schema_id, is_external, purpose_code }
      return {
        input: { ...shown, masked_details: maskDetails(schema, details) },
        payload: { ...shown, details },
      }
    })
}
