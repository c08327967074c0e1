/** The owner's text before a client may pay on its own: payee, payer, every bound, and the end of the mandate. */

import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import type { Summarise } from '../confirmed-actions.ts'
import { fact, foreign } from '../facts.ts'
import { amountOf, countedClients, countOf, momentOf, namedClients, payeeOf } from '../words.ts'
import { getPayee } from './get-payee.ts'

const paidBy = 'Paid by'

export const summariseMandate: Summarise<typeof mandatesRoutes.createMandate> = async (asked, asking) => {
  const { body, principal, context } = asked
  const { owner_id, client_id } = principal
  const [payee, clients] = await Promise.all([
    getPayee(body.beneficiary_id, asked, asking),
    asking.ownerClients({ owner_id }, context),
  ])
  const upTo = (cap: string) => `At most ${amountOf(payee.currency, cap)}`
  const rules = body.authorized_rules ?? []
  const bounds = [
    fact('Each payment', upTo(body.per_payment_max)),
    fact('A day', upTo(body.daily_max)),
    fact('A week', upTo(body.weekly_max)),
    fact('A month', upTo(body.monthly_max)),
    fact('In all', `${upTo(body.total_cap)}, in at most ${countOf(body.payment_count, 'payment')}`),
    fact('Until', momentOf(body.expires_at)),
    ...(rules.length === 0
      ? [fact('Rules', 'None')]
      : rules.map((rule) => foreign('Each payment follows one of the rules', rule))),
  ]
  const ids = body.authorized_clients ?? [client_id]
  return {
    opening: 'Let the payments below be made without asking you again.',
    facts: {
      client: [...payeeOf(payee), countedClients(paidBy, ids, client_id), ...bounds],
      owner: [...payeeOf(payee), ...namedClients(paidBy, ids, clients), ...bounds],
    },
  }
}
