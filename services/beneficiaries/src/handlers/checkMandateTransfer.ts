/** POST /v1/mandates/{mandate_id}/transfers/check: the checks of the payment and of its draft, and nothing else. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { checkCapability } from '@financial-agents/contract/capabilities'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { checkPayment } from '@financial-agents/writes/check-payment'
import type { Dependencies } from '../dependencies.ts'
import { limitsOfMandate } from '../mandates/caps.ts'
import { findTransferRefusal, mandateTransfer } from '../mandates/transfer.ts'
import { getMandateRow, getReference } from '../mandates/validate-action.ts'
import { validateTransfer } from '../mandates/validate-transfer.ts'

export function checkMandateTransfer(
  dependencies: Dependencies,
): Handlers<typeof mandatesRoutes>['checkMandateTransfer'] {
  return async ({ params, body }, context) => {
    const row = await getMandateRow(dependencies, context, params.mandate_id)
    return checkPayment(dependencies, context, {
      kind: mandateTransfer,
      money: body,
      confirmationRequired: false,
      limits: limitsOfMandate(row, body),
      validate: async () => {
        const now = dependencies.clock.now()
        checkCapability(dependencies.enabledCapabilities, 'transfers.execute')
        const amount = validateTransfer(row, body, context)
        getReference(row, now)
        const refusal = findTransferRefusal(row, amount, now)
        if (refusal) throw refusal
      },
    })
  }
}
