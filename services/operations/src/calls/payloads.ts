/**
 * What the submitter needs to submit, as much of it as one message carries. The rest is named, to be asked for again:
 * an id that is neither given nor named is unknown here.
 */

import type { PayloadsRequest, PayloadsResponse } from '@financial-agents/bus/messages/operations'
import type { Database } from '@financial-agents/postgres/database'
import { findPayloads } from '../store/operations.ts'

/** Half of what a message may hold; a row has about 600 bytes beside its payload. */
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
