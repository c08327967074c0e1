/** Answers as the API gives them. */

import { problems } from '../generated/problems.ts'
import type { Operation, Problem, ProblemCode } from '../generated/types.ts'

/** An identifier. */
export const idOf = (number: number) => `01980000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** An operation: a payment that has succeeded, if nothing else is said. */
export function operation(members: Partial<Operation> = {}): Operation {
  const { state = 'succeeded' } = members
  return {
    id: idOf(1),
    kind: 'transfer',
    state,
    submission_uncertain: state === 'indeterminate',
    created_at: '2026-11-23T08:00:00.000Z',
    updated_at: '2026-11-23T08:00:00.000Z',
    resource_id: idOf(2),
    resource_type: 'withdrawal',
    upstream_reference: null,
    failure_code: null,
    failure_detail: null,
    next_reconcile_at: null,
    ...members,
  }
}

/** The problem details of a refusal. Status and title are those of the code. */
export function problem(origin: string, code: ProblemCode, members: Partial<Problem> = {}): Problem {
  const [status, title, retryable, submission_uncertain] = problems[code] ?? [400, 'A title of the API.', false, false]
  return {
    type: `${origin}/problems/${code}`,
    title,
    status,
    detail: `${title}.`,
    instance: '/v1/some/path',
    code,
    fields: null,
    request_id: 'request-1',
    retryable,
    submission_uncertain,
    ...members,
  }
}
