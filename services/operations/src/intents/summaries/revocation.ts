/** What the owner reads before a mandate ends: which one, and that what has been sent is not called back. */

import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import { fieldsProblem } from '@financial-agents/contract/problem'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Asking } from '../asking.ts'
import type { Asked, Summarise } from '../confirmed-actions.ts'
import { amountOf, clientNames, countOf, momentOf, quote } from '../words.ts'

type Revoke = typeof mandatesRoutes.revokeMandate

export const summariseRevocation: Summarise<Revoke> = async (asked, asking) => {
  const { principal, context } = asked
  const [mandate, clients] = await Promise.all([
    getMandate(asked, asking),
    asking.ownerClients({ owner_id: principal.owner_id }, context),
  ])
  const { currency, remaining, total_cap } = mandate
  const left = `${amountOf(currency, remaining.total)} of ${amountOf(currency, total_cap)} and ${countOf(remaining.payments, 'payment')}`
  const words = [
    `End the mandate under which ${clientNames(mandate.authorized_clients, clients)} may pay ${quote(mandate.beneficiary_name)}:`,
    `${left} are left of it, until ${momentOf(mandate.expires_at)}.`,
    'Nothing more is paid under it, and it cannot be brought back. Payments already sent are not called back.',
  ].join(' ')
  return { words }
}

/** @throws Problem validation_failed where the client does not see it */
async function getMandate(
  { params: { mandate_id }, principal: { owner_id, client_id }, context }: Asked<Revoke>,
  asking: Asking,
): Promise<OwnerMandate> {
  const found = isUuid(mandate_id) && (await asking.findMandate({ owner_id, client_id, mandate_id }, context))
  if (found) return found
  throw fieldsProblem([{ path: 'request.path', message: 'Send the path of a mandate.' }])
}
