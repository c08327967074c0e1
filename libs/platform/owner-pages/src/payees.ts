/** The names of payees, and the operations without an outcome, as the pages use what operations and beneficiaries answer. */

import {
  type OwnerActivity,
  type OwnerOperation,
  ownerInFlightMost,
} from '@financial-agents/bus/messages/owner-activity'

/** The names of payees by the ids of beneficiaries and of mandates. */
export type Payees = ReadonlyMap<string, string>

/** All operations without an outcome; undefined where they are not known, or may be more than one answer holds. */
export function underWayOf(activity: OwnerActivity | undefined): readonly OwnerOperation[] | undefined {
  return activity && activity.in_flight.length < ownerInFlightMost ? activity.in_flight : undefined
}

/** The name of the person or company that an operation is about; undefined if it is about none, or the name is unknown. */
export function payeeOf({ payment, resource_id }: OwnerOperation, payees: Payees): string | undefined {
  return payees.get(payment ? payment.beneficiary_id : resource_id)
}
