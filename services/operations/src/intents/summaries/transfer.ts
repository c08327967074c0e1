/** The owner's text before somebody is paid from the spending account. */

import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import { foreign, translatable } from '../facts.ts'
import { payeeForOwner, payeeOf } from '../words.ts'
import { getPayee } from './get-payee.ts'
import type { Summarise } from './summarise.ts'

export const summariseTransfer: Summarise<typeof spendingRoutes.createWithdrawal> = async (asked, asking) => {
  const { amount, currency, purpose_code, memo } = asked.body
  const { owner_id } = asked.principal
  const [payee, clients] = await Promise.all([
    getPayee(asked.body.beneficiary_id, asked, asking),
    asking.ownerClients({ owner_id }, asked.context),
  ])
  const paid = translatable('Amount', { type: 'amount', amount, currency })
  return {
    opening: 'Pay from your spending account, once.',
    facts: { client: [paid, ...payeeOf(payee)], owner: [paid, ...payeeForOwner(payee, clients)] },
    quoted: [
      ...(purpose_code === undefined ? [] : [foreign('Purpose', purpose_code)]),
      ...(memo ? [foreign('Memo', memo)] : []),
    ],
  }
}
