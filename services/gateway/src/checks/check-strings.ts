/**
 * No string in the query or the body contains characters that a database or a client cannot handle. Identifiers in the
 * path are not checked: areas compare only UUIDs with their tables, and treat any other identifier as not found.
 */

import { Problem } from '@financial-agents/contract/problem'
import { type Exchange, found } from '../exchange.ts'
import { findUnsafe } from '../unsafe-values.ts'

export function checkStrings(exchange: Exchange): void {
  const unsafe = findUnsafe(found(exchange.query), 'query') ?? findUnsafe(exchange.body, 'body')
  if (unsafe === undefined) return
  throw new Problem('validation_failed', { detail: `${unsafe.path}: ${unsafe.message}`, fields: [unsafe] })
}
