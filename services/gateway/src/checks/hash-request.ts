/** Hashes the request. The service compares requests by the hash and never by the body itself. */

import { concretePath, requestHash } from '@financial-agents/contract/canonical-request'
import type { Dependencies } from '../dependencies.ts'
import type { Exchange } from '../exchange.ts'

export function hashRequest(exchange: Exchange, { requestHashKey }: Pick<Dependencies, 'requestHashKey'>): void {
  const { headers, row, method, body } = exchange
  const path = concretePath(row?.path as string, exchange.params)
  const request_hash = requestHash(requestHashKey, { method, path, body })
  if (row?.keyed) exchange.idempotency = { key: headers.idempotencyKey as string, request_hash }
  if (row?.confirmation) exchange.confirmation = { intent_id: headers.confirmationIntentId ?? null, request_hash }
}
