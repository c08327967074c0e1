/**
 * Returns the fields that the submitter needs to submit, as many operations as fit one message. The answer names the
 * rest, so that the submitter asks for them again. An id that is neither returned nor named is unknown here.
 *
 * Invariant: a payment is answered only after the log outside PostgreSQL has what its reservation needs. So a database that goes
 * back in time loses no reservation of a payment that was sent.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { PayloadsRequest, PayloadsResponse } from '@financial-agents/bus/messages/operations'
import type { WitnessedPayments } from '@financial-agents/bus/messages/witness'
import { witnessedPayments } from '@financial-agents/bus/streams'
import { isOperationKind, isPaymentKind } from '@financial-agents/contract/kinds'
import type { Database } from '@financial-agents/postgres/database'
import { findPayloads } from '../store/operations.ts'
import { listPayments } from '../store/transfers.ts'

/** Half of the size limit of a message. A row has about 600 bytes in addition to its payload. */
const maxBytes = 512 * 1024
const rowBytes = 1_024

export function createPayloads(db: Database, { registers }: { registers: Pick<Bus['registers'], 'append'> }) {
  return async ({ operation_ids }: PayloadsRequest): Promise<PayloadsResponse> => {
    const found = await findPayloads(db, operation_ids)
    let bytes = 0
    const operations = found.filter((operation, index) => {
      bytes += rowBytes + (operation.payload_sealed?.length ?? 0)
      return index === 0 || bytes <= maxBytes
    })
    const paying = operations.filter(
      ({ kind, state }) => isOperationKind(kind) && isPaymentKind(kind) && state === 'accepted',
    )
    if (paying.length > 0) {
      const payments = await listPayments(
        db,
        paying.map(({ operation_id }) => operation_id),
      )
      await registers.append(witnessedPayments, { payments } satisfies WitnessedPayments)
    }
    const given = new Set(operations)
    const left_out = found.filter((operation) => !given.has(operation)).map(({ operation_id }) => operation_id)
    return { operations, left_out }
  }
}
