/**
 * What a provider answered, held against the shape that it is shown in before it is kept. What broke it is said in paths and
 * codes, never in values: it goes to the log.
 */

import type { ReadResult } from '@financial-agents/provider/port'
import type { z } from 'zod'

const maxNamed = 8

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
