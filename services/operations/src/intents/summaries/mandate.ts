/** The owner's text before a client may pay on its own: payee, payer, every bound, and the end of the mandate. */

import type { OwnerFact } from '@financial-agents/bus/messages/intents'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { BigNumber } from 'bignumber.js'
import { fact, foreign, translatable } from '../facts.ts'
import { countedClients, namedClients, ownerTime, payeeForOwner, payeeOf, timestampOf } from '../words.ts'
import { getPayee } from './get-payee.ts'
import type { Summarise } from './summarise.ts'

const paidBy = 'Paid by'

export const summariseMandate: Summarise<typeof mandatesRoutes.createMandate> = async (asked, asking) => {
  const { body, principal, context } = asked
  const { owner_id, client_id } = principal
  const [payee, clients] = await Promise.all([
    getPayee(body.beneficiary_id, asked, asking),
    asking.ownerClients({ owner_id }, context),
  ])
  const { currency } = payee
  const upTo = (amount: string) => ({ type: 'at_most', amount, currency }) as const
  const rules = body.authorized_rules ?? []
  const all = BigNumber.min(body.total_cap, new BigNumber(body.per_payment_max).times(body.payment_count))
  const boundsUntil = (until: OwnerFact) => [
    translatable('Each payment', upTo(body.per_payment_max)),
    translatable('A day', upTo(body.daily_max)),
    translatable('A week', upTo(body.weekly_max)),
    translatable('A month', upTo(body.monthly_max)),
    translatable('In all', { ...upTo(body.total_cap), type: 'at_most_in', payments: body.payment_count }),
    translatable('At most lost in all', { type: 'amount', amount: all.toFixed(), currency }),
    until,
    ...(rules.length === 0
      ? [translatable('Rules', { type: 'none' })]
      : rules.map((rule) => foreign('Each payment follows one of the rules', rule))),
  ]
  const ids = body.authorized_clients ?? [client_id]
  return {
    opening: 'Let the payments below be made without asking you again.',
    facts: {
      client: [
        ...payeeOf(payee),
        countedClients(paidBy, ids, client_id),
        ...boundsUntil(fact('Until', timestampOf(body.expires_at))),
      ],
      owner: [
        ...payeeForOwner(payee, clients),
        ...namedClients(paidBy, ids, clients),
        ...boundsUntil(ownerTime('Until', body.expires_at)),
      ],
    },
  }
}
