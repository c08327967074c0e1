/**
 * What a provider answered, held against the shape that it is shown in before it is kept: an adapter that lets too much
 * pass must not spoil what is kept. What broke it is said in paths and codes, never in values: it goes to the log.
 */

import type { ReadResult } from '@financial-agents/provider/port'
import type { z } from 'zod'

const maxNamed = 8

/**
 * The answer in the shape of `schema`, or `contract_broken`.
 * @param make what is kept of it, where that is something else; what it throws is thrown to whoever asked
 */
export function checkedAnswer<Schema extends z.ZodType>(
  schema: Schema,
  answer: ReadResult<unknown>,
): ReadResult<z.output<Schema>>
export function checkedAnswer<Schema extends z.ZodType, Made>(
  schema: Schema,
  answer: ReadResult<unknown>,
  make: (given: z.output<Schema>) => Made,
): ReadResult<Made>
export function checkedAnswer<Schema extends z.ZodType>(
  schema: Schema,
  answer: ReadResult<unknown>,
  make: (given: z.output<Schema>) => unknown = (given) => given,
): ReadResult<unknown> {
  if (answer.type !== 'ok') return answer
  const parsed = schema.safeParse(answer.data)
  if (parsed.success) return { type: 'ok', data: make(parsed.data) }
  const where = parsed.error.issues.slice(0, maxNamed).map(({ path, code }) => `${path.join('.')}: ${code}`)
  return { type: 'contract_broken', reason: `the answer broke the contract at ${where.join('; ')}` }
}
