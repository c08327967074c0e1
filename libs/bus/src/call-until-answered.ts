/**
 * A call that may be repeated without harm, repeated until it is answered or nobody waits any longer. A message that was
 * lost, or that reached a process which stands still, costs one attempt.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { CallSubject, Calls } from './calls.ts'
import type { Bus } from './connect.ts'
import { newContext } from './headers.ts'
import { call } from './rpc.ts'

const attemptMs = 1_000
const pauseMs = 50

/**
 * Asks on nobody's behalf.
 * @param patienceMs for all attempts together
 * @throws what the last attempt threw: Problem as the other side refused; NoResponders, TimedOut
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
      if (performance.now() + pauseMs >= endsAt) throw error
      await delay(pauseMs)
    }
  }
}
