/** Calls that take no idempotency key. A request is repeated only if a repetition has no second effect. */

import { type Attempt, attempt } from './attempt.ts'
import type { CallOptions } from './call-options.ts'
import type { Core } from './core.ts'
import { isBusy, reasonOf, repetition, unreachable } from './repeat.ts'
import { limited } from './time-limit.ts'
import type { ApiRequest } from './transport.ts'
import { asUncertain, isReason } from './uncertain.ts'

/**
 * Calls the API; resolves with the parsed body.
 *
 * @param once the request may not be repeated after an attempt that may have been carried out
 * @throws ApiProblem, or ClientError `unreachable`. `submissionUncertain` is true if an attempt may have been carried out
 */
export async function call(core: Core, request: ApiRequest, given: CallOptions = {}, once = false): Promise<unknown> {
  const options = limited(given)
  const repeat = repetition(core, request, options)
  let uncertain = false
  try {
    for (;;) {
      const last = await attempt(core, request, options)
      if (last.end === 'answered') return last.body
      const isOpen = last.end !== 'refused' && last.end !== 'unsent'
      uncertain ||= isOpen && request.method !== 'GET'
      if (last.end === 'failed') throw last.error
      if (!(once && isOpen) && mayRepeat(last) && (await repeat.again(reasonOf(last), last.afterMs))) continue
      if ('problem' in last) throw last.problem
      const advice =
        once && isOpen ? 'It may have been done: look before you call again.' : 'Call again when it is back.'
      throw unreachable(core.origin, last, advice, uncertain)
    }
  } catch (error) {
    if (!uncertain || isReason(error, options.signal)) throw error
    throw asUncertain(error, 'An earlier attempt may have been carried out: look before you call again.')
  }
}

/** True if the same request may succeed later, and a repetition has no second effect. */
function mayRepeat(last: Extract<Attempt, { afterMs: unknown }>): boolean {
  if (last.end === 'refused') return last.problem.retryable && !last.problem.submissionUncertain
  return last.end !== 'foreign' || isBusy(last.problem)
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
