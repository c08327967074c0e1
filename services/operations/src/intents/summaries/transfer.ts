/** The owner's text before money is withdrawn from the spending account. */

import { amountWords } from '@financial-agents/contract/amount-words'
import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import type { Summarise } from '../confirmed-actions.ts'
import { fact, foreign } from '../facts.ts'
import { payeeOf } from '../words.ts'
import { getPayee } from './get-payee.ts'

export const summariseTransfer: Summarise<typeof spendingRoutes.createWithdrawal> = async (asked, asking) => {
  const { amount, currency, purpose_code, memo } = asked.body
  const payee = await getPayee(asked.body.beneficiary_id, asked, asking)
  const told = [fact('Amount', amountWords(amount, currency)), ...payeeOf(payee)]
  return {
    opening: 'Pay from your spending account, once.',
    facts: { client: told, owner: told },
    quoted: [
      ...(purpose_code === undefined ? [] : [foreign('Purpose', purpose_code)]),
      ...(memo ? [foreign('Memo', memo)] : []),
    ],
  }
}
