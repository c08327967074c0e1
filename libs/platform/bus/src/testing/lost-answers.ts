/** Answers that a test withholds, without the wait for a deadline. */

import type { Bus } from '../connect.ts'
import { TimedOut } from '../errors.ts'
import type { MessageContext } from '../headers.ts'

/** The answers on one subject that a test withholds from the process that asks. */
export type LostAnswers = {
  contexts: readonly MessageContext[]
  /** The bus for the process that asks. Its requests end with their answer, at their deadline, or by `end`. */
  on: (bus: Bus) => Bus
  /**
   * Ends the requests that wait for an answer, as their deadline does. A deadline that is short enough for a test may
   * pass on a busy machine before the process has asked.
   */
  end: () => void
  /** For a handler: its answer never comes, and nobody waits for it any more. */
  lose: () => Promise<never>
}

/** Lets a test withhold answers on `subject`. */
export function createLostAnswers(subject: string): LostAnswers {
  const contexts: MessageContext[] = []
  const waiting = new Set<(error: TimedOut) => void>()
  const end = () => {
    for (const reject of waiting) reject(new TimedOut(subject))
  }
  const requestOn: (bus: Bus) => Bus['request'] = (bus) => (asked, data, context, waitMs) => {
    const answer = bus.request(asked, data, context, waitMs)
    if (asked !== subject) return answer
    contexts.push(context)
    const lost = Promise.withResolvers<never>()
    waiting.add(lost.reject)
    return Promise.race([answer, lost.promise]).finally(() => waiting.delete(lost.reject))
  }
  return {
    contexts,
    on: (bus) => ({ ...bus, request: requestOn(bus) }),
    end,
    lose: () => {
      end()
      return new Promise<never>(() => {})
    },
  }
}
