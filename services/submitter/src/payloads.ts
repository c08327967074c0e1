/**
 * Accepted operations with their sealed payloads, asked of operations just before the claim and kept nowhere. What
 * is asked for at one time goes together. No answer is `unreachable`, which says nothing about the operation.
 */

import type { AcceptedOperation } from '@financial-agents/bus/messages/operations'
import { call } from '@financial-agents/bus/rpc'
import { createBatcher } from '@financial-agents/postgres/batcher'
import { batchContext, type Parts } from './parts.ts'

export type Fetched = { type: 'fetched'; operation: AcceptedOperation } | { type: 'unknown' } | { type: 'unreachable' }

// An answer must fit into one message of at most 1 MB, and a sealed payload may come to 90 KB.
const idsPerCall = 8
const maxIds = 64

export function createPayloads({ bus, config, log }: Pick<Parts, 'bus' | 'config' | 'log'>) {
  const fetchSome = async (ids: string[]): Promise<[string, Fetched][]> => {
    try {
      const answer = await call(
        bus,
        'int.operations.payloads',
        { operation_ids: ids },
        batchContext(config.CALL_TIMEOUT_MS),
      )
      const byId = new Map(answer.map((operation) => [operation.operation_id, operation]))
      return ids.map((id) => {
        const operation = byId.get(id)
        return [id, operation === undefined ? { type: 'unknown' } : { type: 'fetched', operation }]
      })
    } catch (error) {
      log.warn({ err: error, operations: ids.length }, 'operations gave no payloads; they are asked for again')
      return ids.map((id) => [id, { type: 'unreachable' }])
    }
  }
  const batcher = createBatcher<string, Fetched>({
    maxItems: maxIds,
    concurrency: 4,
    target: (id) => id,
    run: async (ids) => {
      const chunks: string[][] = []
      for (let start = 0; start < ids.length; start += idsPerCall) chunks.push(ids.slice(start, start + idsPerCall))
      return new Map((await Promise.all(chunks.map(fetchSome))).flat())
    },
  })
  return { fetch: (operationId: string) => batcher.submit(operationId) }
}
