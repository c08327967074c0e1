/** What the owner reads before a client may pay on its own: whom, who pays, every bound, and until when. */

import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import type { Summarise } from '../confirmed-actions.ts'
import { amountOf, clientNames, countOf, listOf, momentOf, payeeOf, quote } from '../words.ts'
import { getPayee } from './get-payee.ts'

export const summariseMandate: Summarise<typeof mandatesRoutes.createMandate> = async (asked, asking) => {
  const { body, principal, context } = asked
  const { owner_id, client_id } = principal
  const [payee, clients] = await Promise.all([
    getPayee(body.beneficiary_id, asked, asking),
    asking.ownerClients({ owner_id }, context),
  ])
  const upTo = (cap: string) => amountOf(payee.currency, cap)
  const rules = body.authorized_rules ?? []
  const words = [
    `Let ${clientNames(body.authorized_clients ?? [client_id], clients)} pay ${payeeOf(payee)} without asking you again.`,
    `At most ${upTo(body.per_payment_max)} in one payment, ${upTo(body.daily_max)} a day, ${upTo(body.weekly_max)} a week, ${upTo(body.monthly_max)} a month,`,
    `${upTo(body.total_cap)} and ${countOf(body.payment_count, 'payment')} in all, until ${momentOf(body.expires_at)}.`,
    rules.length > 0
      ? `Each payment follows one of the rules ${listOf(rules.map(quote))}.`
      : 'It is bound to no rules.',
  ].join(' ')
  return { words }
}
