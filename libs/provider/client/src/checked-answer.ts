/**
 * Checks a provider's answer against the shape in which it is shown, before it is cached. An adapter that checks too little
 * must not spoil the cache. The reason of a broken answer goes to the log: it has paths and codes, never values.
 */

import type { ReadResult } from '@financial-agents/provider-port/port'
import type { z } from 'zod'

const maxNamed = 8

/** The answer in the shape of `schema`, or `contract_broken`. */
export function checkedAnswer<Schema extends z.ZodType>(
  schema: Schema,
  answer: ReadResult<unknown>,
): ReadResult<z.output<Schema>> {
  if (answer.type !== 'ok') return answer
  const parsed = schema.safeParse(answer.data)
  if (parsed.success) return { type: 'ok', data: parsed.data }
  const where = parsed.error.issues.slice(0, maxNamed).map(({ path, code }) => `${path.join('.')}: ${code}`)
  return { type: 'contract_broken', reason: `the answer broke the contract at ${where.join('; ')}` }
}
