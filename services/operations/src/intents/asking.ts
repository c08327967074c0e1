/** What the words of an intent ask of other services. An answer that does not come in time is a service out of reach. */

import type { Calls } from '@financial-agents/bus/calls'
import type { Bus } from '@financial-agents/bus/connect'
import { isUnanswered } from '@financial-agents/bus/errors'
import { contextWithin, type MessageContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { Unavailable } from '@financial-agents/runtime/unavailable'

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
  const ask =
    <Subject extends keyof Calls>(subject: Subject): Ask<Subject> =>
    (request, context) =>
      call(bus, subject, request, contextWithin(context)).catch((cause: unknown) => {
        if (isUnanswered(cause)) throw new Unavailable(`nobody answered ${subject}`, { cause })
        throw cause
      })
  return {
    ownerClients: ask(asked.ownerClients),
    findBeneficiary: ask(asked.findBeneficiary),
    findMandate: ask(asked.findMandate),
  }
}
