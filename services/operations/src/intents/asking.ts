/**
 * The questions of an intent to other services: whether the request would be refused, and the names for its words. A
 * time-out counts as a service out of reach. One question is about an operation of this service.
 */

import { ask } from '@financial-agents/bus/ask'
import type { Calls } from '@financial-agents/bus/calls'
import type { Bus } from '@financial-agents/bus/connect'
import type { MessageContext } from '@financial-agents/bus/headers'
import type { Queryable } from '@financial-agents/postgres/database'
import { findClientOfOperation } from '../store/owner-activity.ts'

const asked = {
  ownerClients: 'int.authz.owner-clients',
  findBeneficiary: 'int.beneficiaries.find-beneficiary',
  findMandate: 'int.beneficiaries.find-mandate',
  validateDisconnect: 'int.onboarding.validate-disconnect',
  validateMandateCreate: 'int.beneficiaries.validate-mandate-create',
  validateMandateRevoke: 'int.beneficiaries.validate-mandate-revoke',
  validateWithdrawal: 'int.spending.validate-withdrawal',
} as const satisfies Record<string, keyof Calls>

type Ask<Subject extends keyof Calls> = (
  request: Calls[Subject]['request'],
  context: MessageContext,
) => Promise<Calls[Subject]['answer']>

/** The questions that an intent may ask other services, and about an operation of the owner. */
export type Asking = { readonly [Question in keyof typeof asked]: Ask<(typeof asked)[Question]> } & {
  /** The application that asked for an operation; undefined if the operation is not known, or no longer. */
  clientOfOperation: (request: { owner_id: string; operation_id: string }) => Promise<string | undefined>
}

export function createAsking(bus: Bus, db: Queryable): Asking {
  const question =
    <Subject extends keyof Calls>(subject: Subject): Ask<Subject> =>
    (request, context) =>
      ask(bus, subject, request, context)
  return {
    clientOfOperation: ({ owner_id, operation_id }) => findClientOfOperation(db, owner_id, operation_id),
    ownerClients: question(asked.ownerClients),
    findBeneficiary: question(asked.findBeneficiary),
    findMandate: question(asked.findMandate),
    validateDisconnect: question(asked.validateDisconnect),
    validateMandateCreate: question(asked.validateMandateCreate),
    validateMandateRevoke: question(asked.validateMandateRevoke),
    validateWithdrawal: question(asked.validateWithdrawal),
  }
}
