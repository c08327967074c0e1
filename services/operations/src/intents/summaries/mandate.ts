/** The owner's text before a client may pay on its own: payee, payer, every bound, and the end of the mandate. */

import type { OwnerFact } from '@financial-agents/bus/messages/intents'
import { amountWords } from '@financial-agents/contract/amount-words'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { BigNumber } from 'bignumber.js'
import type { Summarise } from '../confirmed-actions.ts'
import { fact, foreign } from '../facts.ts'
import { countedClients, countOf, momentOf, namedClients, ownerTime, payeeOf } from '../words.ts'
import { getPayee } from './get-payee.ts'

const paidBy = 'Paid by'

export const summariseMandate: Summarise<typeof mandatesRoutes.createMandate> = async (asked, asking) => {
  const { body, principal, context } = asked
  const { owner_id, client_id } = principal
  const [payee, clients] = await Promise.all([
    getPayee(body.beneficiary_id, asked, asking),
    asking.ownerClients({ owner_id }, context),
  ])
  const upTo = (cap: string) => `At most ${amountWords(cap, payee.currency)}`
  const rules = body.authorized_rules ?? []
  const all = BigNumber.min(body.total_cap, new BigNumber(body.per_payment_max).times(body.payment_count))
  const boundsUntil = (until: OwnerFact) => [
    fact('Each payment', upTo(body.per_payment_max)),
    fact('A day', upTo(body.daily_max)),
    fact('A week', upTo(body.weekly_max)),
    fact('A month', upTo(body.monthly_max)),
    fact('In all', `${upTo(body.total_cap)}, in at most ${countOf(body.payment_count, 'payment')}`),
    fact('At most lost in all', amountWords(all.toFixed(), payee.currency)),
    until,
    ...(rules.length === 0
      ? [fact('Rules', 'None')]
      : rules.map((rule) => foreign('Each payment follows one of the rules', rule))),
  ]
  const ids = body.authorized_clients ?? [client_id]
  return {
    opening: 'Let the payments below be made without asking you again.',
    facts: {
      client: [
        ...payeeOf(payee),
        countedClients(paidBy, ids, client_id),
        ...boundsUntil(fact('Until', momentOf(body.expires_at))),
      ],
      owner: [
        ...payeeOf(payee),
        ...namedClients(paidBy, ids, clients),
        ...boundsUntil(ownerTime('Until', body.expires_at)),
      ],
    },
  }
}
