/** Checks a payment as acceptance would, for an area that answers a client's check. */

import type { CheckPaymentRequest, CheckPaymentResponse } from '@financial-agents/bus/messages/operations'
import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { WritesClosed } from '@financial-agents/witness/closed'
import type { Witness } from '@financial-agents/witness/witness'
import { findRoom } from '../ceilings/check-room.ts'

export function createCheckPayment(db: Queryable, witness: Pick<Witness, 'closed'>, clock: Clock) {
  return async (payment: CheckPaymentRequest): Promise<CheckPaymentResponse> => {
    const closed = witness.closed()
    if (closed) throw new WritesClosed(closed)
    return findRoom(db, payment, clock.now())
  }
}
