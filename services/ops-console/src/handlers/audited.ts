/** Records every call of a route in the audit before its answer leaves: the request, the operator and the outcome. */

import type { HandlerContext } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { Dependencies } from '../dependencies.ts'
import type { AuditAction } from '../store/audit.ts'

/** @throws the error of `work`; Unavailable if the entry cannot be written, whatever `work` returned */
export async function audited<Answer>(
  { audit }: Pick<Dependencies, 'audit'>,
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

/** Translates an error into the audit's outcome. */
export function outcomeOf(error: unknown): string {
  if (error instanceof Problem) return error.code
  return error instanceof Unavailable ? 'service_unavailable' : 'internal_error'
}
