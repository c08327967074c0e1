/** The owner's text before a mandate ends: which mandate, and that payments already sent are not recalled. */

import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import { fieldsProblem } from '@financial-agents/contract/problem'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Asking } from '../asking.ts'
import { fact, foreign, translatable } from '../facts.ts'
import { countedClients, namedClients, ownerTime, timestampOf } from '../words.ts'
import type { ConfirmableRequest, Summarise } from './summarise.ts'

type Revoke = typeof mandatesRoutes.revokeMandate

const paidBy = 'Paid by'

export const summariseRevocation: Summarise<Revoke> = async (asked, asking) => {
  const { principal, context } = asked
  const { owner_id, client_id } = principal
  const [mandate, clients] = await Promise.all([getMandate(asked, asking), asking.ownerClients({ owner_id }, context)])
  const { currency, remaining, total_cap, authorized_clients: ids } = mandate
  const payee = foreign('Payee', mandate.beneficiary_name)
  const left = [
    translatable('Left of it', { type: 'left_of', amount: remaining.total, whole: total_cap, currency }),
    translatable('Payments left', { type: 'count', count: remaining.payments }),
  ]
  return {
    opening:
      'End the repeated payments below. Nothing more is paid, and they cannot be brought back. Payments already sent are not called back.',
    facts: {
      client: [payee, countedClients(paidBy, ids, client_id), ...left, fact('Until', timestampOf(mandate.expires_at))],
      owner: [payee, ...namedClients(paidBy, ids, clients), ...left, ownerTime('Until', mandate.expires_at)],
    },
  }
}

/** @throws Problem validation_failed if the client cannot see the mandate */
async function getMandate(
  { params: { mandate_id }, principal: { owner_id, client_id }, context }: ConfirmableRequest<Revoke>,
  asking: Asking,
): Promise<OwnerMandate> {
  const found = isUuid(mandate_id) && (await asking.findMandate({ owner_id, client_id, mandate_id }, context))
  if (found) return found
  throw fieldsProblem([{ path: 'request.path', message: 'Send the path of a mandate.' }])
}
