/** What the service compares equal requests by: never the body itself. */

import { concretePath, requestHash } from '@financial-agents/contract/canonical-request'
import { type Exchange, found } from '../exchange.ts'
import type { Parts } from '../parts.ts'

export function hashRequest(exchange: Exchange, { requestHashKey }: Pick<Parts, 'requestHashKey'>): void {
  const path = concretePath(exchange.row?.path as string, exchange.params)
  exchange.idempotency = {
    key: found(exchange.headers.idempotencyKey),
    request_hash: requestHash(requestHashKey, { method: exchange.method, path, body: exchange.body }),
  }
}
