/** Every call of a route is in the audit before its answer leaves: what was asked for, by whom, and how it ended. */

import type { HandlerContext } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { Parts } from '../parts.ts'
import type { AuditAction } from '../store/audit.ts'

/** @throws what `work` throws; Unavailable where the entry cannot be written, whatever `work` brought */
export async function audited<Answer>(
  { audit }: Pick<Parts, 'audit'>,
  { operator }: Pick<HandlerContext, 'operator'>,
  entry: { action: AuditAction; detail: Record<string, unknown> },
  work: () => Promise<Answer>,
): Promise<Answer> {
  let answer: Answer
  try {
    answer = await work()
  } catch (error) {
    await audit({ ...entry, operator, outcome: outcomeOf(error) })
    throw error
  }
  await audit({ ...entry, operator, outcome: 'answered' })
  return answer
}

/** The word of the audit for what was thrown. */
export function outcomeOf(error: unknown): string {
  if (error instanceof Problem) return error.code
  return error instanceof Unavailable ? 'service_unavailable' : 'internal_error'
}
