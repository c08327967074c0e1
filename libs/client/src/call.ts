/** Calls that take no idempotency key. A request is repeated only if a repetition has no second effect. */

import { attempt } from './attempt.ts'
import type { CallOptions } from './call-options.ts'
import type { Core } from './core.ts'
import { repetition, unreachable } from './repeat.ts'
import type { ApiRequest } from './transport.ts'
import { asUncertain, isReason } from './uncertain.ts'

/**
 * Calls the API; resolves with the parsed body.
 *
 * @param once the request may not be repeated after an attempt without an answer
 * @throws ApiProblem, or ClientError `unreachable`. `submissionUncertain` is true if an attempt may have been carried out
 */
export async function call(core: Core, request: ApiRequest, options: CallOptions = {}, once = false): Promise<unknown> {
  const repeat = repetition(core, request, options)
  let uncertain = false
  const told = (error: unknown) =>
    uncertain && !isReason(error, options.signal)
      ? asUncertain(error, 'An earlier attempt may have been carried out: look before you call again.')
      : error
  for (;;) {
    const last = await attempt(core, request, options).catch((error: unknown) => {
      throw told(error)
    })
    uncertain ||= last.end === 'unanswered' && request.method !== 'GET'
    if (last.end === 'answered') return last.body
    if (last.end === 'refused') {
      const { problem, afterMs } = last
      if (!problem.retryable || problem.submissionUncertain || !(await repeat.again(problem.code, afterMs)))
        throw told(problem)
      continue
    }
    const lost = once && last.end === 'unanswered'
    if (lost || !(await repeat.again(last.end, last.afterMs)))
      throw unreachable(
        core.origin,
        last,
        lost ? 'It may have been done: look before you call again.' : 'Call again when it is back.',
        uncertain,
      )
  }
}

/** The concrete path of a template, with a query. Undefined members of the query are left out. */
export function pathOf(template: string, params: readonly string[], query: object = {}): string {
  let index = 0
  const path = template.replace(/\{\w+\}/g, () => encodeURIComponent(params[index++] ?? ''))
  const pairs = Object.entries(query).flatMap(([name, value]: [string, string | number | boolean | undefined]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs).toString()}`
}
