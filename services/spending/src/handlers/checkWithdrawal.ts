/** POST /v1/spending-account/withdrawals/check: the checks of the withdrawal, and nothing else. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import { checkPayment } from '@financial-agents/writes/check-payment'
import type { Dependencies } from '../dependencies.ts'
import { validateWithdrawal } from '../validate-withdrawal.ts'
import { transfer } from '../withdrawal-write.ts'
import { needsConfirmation } from './createWithdrawal.ts'

export function checkWithdrawal(dependencies: Dependencies): Handlers<typeof spendingRoutes>['checkWithdrawal'] {
  return ({ body }, context) =>
    checkPayment(dependencies, context, {
      kind: transfer,
      money: body,
      confirmationRequired: needsConfirmation(context.policy, body),
      limits: [],
      validate: () => validateWithdrawal(dependencies, body, context),
    })
}
