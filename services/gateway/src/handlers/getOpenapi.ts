/**
 * GET /v1/openapi.json: the document for this origin, made once at start. A client that already has it gets 304 (RFC
 * 9110 §13.1.2).
 */

import { createHash } from 'node:crypto'
import type { Route } from '@financial-agents/contract/route'
import { isKnown } from '../etag.ts'
import type { Forward } from '../forward.ts'
import { checkQueryOf } from '../own-routes.ts'

export function getOpenapi(row: Route, document: string): Forward {
  const json = Buffer.from(document)
  const etag = `"${createHash('sha256').update(json).digest('base64url')}"`
  const kept = { etag, maxAgeS: row.maxAgeS ?? 0 }
  return async (exchange) => {
    checkQueryOf(row, exchange)
    const known = isKnown(exchange.request.headers['if-none-match'], etag)
    return known ? { status: 304, json: null, kept } : { status: row.status, json, kept }
  }
}
