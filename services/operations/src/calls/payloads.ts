/**
 * Returns the fields that the submitter needs to submit, as many operations as fit one message. The answer names the
 * rest, so that the submitter asks for them again. An id that is neither returned nor named is unknown here.
 */

import type { PayloadsRequest, PayloadsResponse } from '@financial-agents/bus/messages/operations'
import type { Database } from '@financial-agents/postgres/database'
import { findPayloads } from '../store/operations.ts'

/** Half of the size limit of a message. A row has about 600 bytes in addition to its payload. */
const maxBytes = 512 * 1024
const rowBytes = 1_024

export function createPayloads(db: Database) {
  return async ({ operation_ids }: PayloadsRequest): Promise<PayloadsResponse> => {
    const found = await findPayloads(db, operation_ids)
    let bytes = 0
    const operations = found.filter((operation, index) => {
      bytes += rowBytes + (operation.payload_sealed?.length ?? 0)
      return index === 0 || bytes <= maxBytes
    })
    const given = new Set(operations)
    const left_out = found.filter((operation) => !given.has(operation)).map(({ operation_id }) => operation_id)
    return { operations, left_out }
  }
}
