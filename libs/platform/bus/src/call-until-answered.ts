/**
 * Repeats an idempotent call until it is answered or its time is over. A lost message, or a message to a frozen process, costs one
 * attempt.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { CallSubject, Calls } from './calls.ts'
import type { Bus } from './connect.ts'
import { newContext } from './headers.ts'
import { call } from './rpc.ts'

const attemptMs = 1_000
const pauseMs = 50
/** An attempt with less time than this is not begun: it would only hide why the one before it failed. */
const leastMs = 500

/**
 * Repeats a call without a principal until it is answered.
 * @param patienceMs the time limit of all attempts together
 * @throws the error of the last attempt: Problem if the other service refused; NoResponders, TimedOut
 */
export async function callUntilAnswered<Subject extends CallSubject>(
  bus: Bus,
  subject: Subject,
  request: Calls[Subject]['request'],
  patienceMs: number,
): Promise<Calls[Subject]['answer']> {
  const endsAt = performance.now() + patienceMs
  for (;;) {
    const leftMs = Math.max(1, Math.floor(endsAt - performance.now()))
    try {
      return await call(bus, subject, request, newContext(Math.min(attemptMs, leftMs)))
    } catch (error) {
      if (performance.now() + pauseMs + leastMs >= endsAt) throw error
      await delay(pauseMs)
    }
  }
}
