/** What the owner reads before money is withdrawn from the spending account. */

import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import type { Summarise } from '../confirmed-actions.ts'
import { amountOf, payeeOf, quote } from '../words.ts'
import { getPayee } from './get-payee.ts'

export const summariseTransfer: Summarise<typeof spendingRoutes.createWithdrawal> = async (asked, asking) => {
  const { amount, currency, purpose_code, memo } = asked.body
  const payee = await getPayee(asked.body.beneficiary_id, asked, asking)
  const words = `Pay ${amountOf(currency, amount)} from your spending account to ${payeeOf(payee)}, once.`
  const quoted = [
    ...(purpose_code === undefined ? [] : [`Purpose: ${quote(purpose_code)}.`]),
    ...(memo ? [`Memo: ${quote(memo)}.`] : []),
  ]
  return quoted.length === 0 ? { words } : { words, quoted: quoted.join(' ') }
}
