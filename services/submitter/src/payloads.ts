/**
 * Fetches accepted operations with their sealed payloads from operations, just before the claim. Nothing is kept. Requests made
 * at the same time share one call. Without an answer the result is `unreachable`, which says nothing about the operation.
 */

import { newContext } from '@financial-agents/bus/headers'
import type { AcceptedOperation } from '@financial-agents/bus/messages/operations'
import { call } from '@financial-agents/bus/rpc'
import { createBatcher } from '@financial-agents/postgres/batcher'
import type { Dependencies } from './dependencies.ts'

export type Fetched = { type: 'fetched'; operation: AcceptedOperation } | { type: 'unknown' } | { type: 'unreachable' }

const maxIds = 64

export function createPayloads({ bus, config, log }: Pick<Dependencies, 'bus' | 'config' | 'log'>) {
  const fetchInto = async (fetched: Map<string, Fetched>, ids: string[]): Promise<void> => {
    const request = { operation_ids: ids }
    const answer = await call(bus, 'int.operations.payloads', request, newContext(config.CALL_TIMEOUT_MS))
    for (const id of ids) fetched.set(id, { type: 'unknown' })
    for (const operation of answer.operations) fetched.set(operation.operation_id, { type: 'fetched', operation })
    // Each answer holds at least one operation, so the recursion ends.
    if (answer.left_out.length > 0) await fetchInto(fetched, answer.left_out)
  }
  const batcher = createBatcher<string, Fetched>({
    maxItems: maxIds,
    concurrency: 4,
    target: (id) => id,
    run: async (ids) => {
      const fetched = new Map<string, Fetched>()
      try {
        await fetchInto(fetched, ids)
      } catch (error) {
        log.warn({ err: error, operations: ids.length }, 'operations gave no payloads; they are asked for again')
        for (const id of ids) if (fetched.get(id)?.type !== 'fetched') fetched.set(id, { type: 'unreachable' })
      }
      return fetched
    },
  })
  return { fetch: (operationId: string) => batcher.submit(operationId) }
}
