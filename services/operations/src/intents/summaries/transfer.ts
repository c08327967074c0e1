/** The owner's text before money is withdrawn from the spending account. */

import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import type { Summarise } from '../confirmed-actions.ts'
import { foreign, told } from '../facts.ts'
import { payeeOf } from '../words.ts'
import { getPayee } from './get-payee.ts'

export const summariseTransfer: Summarise<typeof spendingRoutes.createWithdrawal> = async (asked, asking) => {
  const { amount, currency, purpose_code, memo } = asked.body
  const payee = await getPayee(asked.body.beneficiary_id, asked, asking)
  const facts = [told('Amount', { type: 'amount', amount, currency }), ...payeeOf(payee)]
  return {
    opening: 'Pay from your spending account, once.',
    facts: { client: facts, owner: facts },
    quoted: [
      ...(purpose_code === undefined ? [] : [foreign('Purpose', purpose_code)]),
      ...(memo ? [foreign('Memo', memo)] : []),
    ],
  }
}
