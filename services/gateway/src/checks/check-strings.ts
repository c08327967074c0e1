/**
 * No string of query or body holds what a database or a client could not take back. Identifiers of the path go on as they are:
 * areas compare nothing but UUIDs with their tables, and answer whatever else as what does not exist.
 */

import { Problem } from '@financial-agents/contract/problem'
import { type Exchange, found } from '../exchange.ts'
import { findUnsafe } from '../unsafe-values.ts'

export function checkStrings(exchange: Exchange): void {
  const unsafe = findUnsafe(found(exchange.query), 'query') ?? findUnsafe(exchange.body, 'body')
  if (unsafe === undefined) return
  throw new Problem('validation_failed', { detail: `${unsafe.path}: ${unsafe.message}`, fields: [unsafe] })
}
