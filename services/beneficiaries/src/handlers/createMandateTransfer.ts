/**
 * POST /v1/mandates/{mandate_id}/transfers: for an authorised client, a grant with authority and an authorised rule, in
 * the mandate's currency. The draft validates the authority again and reserves against every limit, or is refused.
 * Acceptance reserves against the limits of the grant.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { checkCapability } from '@financial-agents/contract/capabilities'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { performWrite } from '@financial-agents/writes/perform'
import type { Dependencies } from '../dependencies.ts'
import { notActive } from '../mandates/decision.ts'
import { visibleState } from '../mandates/machine.ts'
import type { MandateRow } from '../mandates/store.ts'
import { mandateTransfer } from '../mandates/transfer.ts'
import { getMandateRow, getReference } from '../mandates/validate-action.ts'
import { checkAuthority, validateTransfer } from '../mandates/validate-transfer.ts'

export function createMandateTransfer(
  dependencies: Dependencies,
): Handlers<typeof mandatesRoutes>['createMandateTransfer'] {
  return ({ params, body }, context) =>
    performWrite(dependencies, mandateTransfer, context, async () => {
      checkCapability(dependencies.enabledCapabilities, 'transfers.execute')
      const row = await getMandateRow(dependencies, context, params.mandate_id)
      const amount = validateTransfer(row, body, context)
      const { client_id, grant_id } = context.principal
      const { beneficiary_id, currency } = row
      const { reference = null, rule = null } = body
      return {
        input: { mandate_id: row.id, amount, grant_id },
        payload: { ...body, amount },
        payment: { beneficiary_id, amount, currency, rule, reference, ceilings: context.policy.ceilings },
        mandate_id: row.id,
        mandate_ends_at: row.expires_at.toISOString(),
        target_reference: getReference(row, dependencies.clock.now()),
        checkJoined: async () => {
          const joined = await getMandateRow(dependencies, context, row.id)
          checkAuthority(joined, { client_id, grant_id }, body.rule)
          checkInForce(joined, dependencies.clock.now())
        },
      }
    })
}

/**
 * Checks a draft that an earlier equal request made. Its reservation still holds, but the mandate may have ended.
 * @throws Problem mandate_not_active
 */
function checkInForce(row: MandateRow, now: Date): void {
  const state = visibleState(row, now)
  if (state !== 'active' && state !== 'exhausted') throw notActive(state)
}
