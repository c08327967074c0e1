/** What the words of an intent ask of other services. An answer that does not come in time is a service out of reach. */

import { ask } from '@financial-agents/bus/ask'
import type { Calls } from '@financial-agents/bus/calls'
import type { Bus } from '@financial-agents/bus/connect'
import type { MessageContext } from '@financial-agents/bus/headers'

const asked = {
  ownerClients: 'int.authz.owner-clients',
  findBeneficiary: 'int.beneficiaries.find-beneficiary',
  findMandate: 'int.beneficiaries.find-mandate',
} as const satisfies Record<string, keyof Calls>

type Ask<Subject extends keyof Calls> = (
  request: Calls[Subject]['request'],
  context: MessageContext,
) => Promise<Calls[Subject]['answer']>

/** What a summary may ask of other services. */
export type Asking = { readonly [Question in keyof typeof asked]: Ask<(typeof asked)[Question]> }

export function createAsking(bus: Bus): Asking {
  const question =
    <Subject extends keyof Calls>(subject: Subject): Ask<Subject> =>
    (request, context) =>
      ask(bus, subject, request, context)
  return {
    ownerClients: question(asked.ownerClients),
    findBeneficiary: question(asked.findBeneficiary),
    findMandate: question(asked.findMandate),
  }
}
