/**
 * Asks another service a question while a request is answered. The question changes nothing, so a missing answer only
 * means that the service is out of reach. The client then gets 503 `service_unavailable` and may repeat the request.
 */

import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { CallSubject, Calls } from './calls.ts'
import type { Bus } from './connect.ts'
import { isUnanswered } from './errors.ts'
import { contextWithin, type MessageContext } from './headers.ts'
import { call } from './rpc.ts'

/**
 * Sends a call without a principal. The answer is awaited at most as long as the sender of the request waits.
 * @param atMostMs a further limit for the wait, in milliseconds
 * @throws Problem if the other service refused; Unavailable if it did not answer
 */
export async function ask<Subject extends CallSubject>(
  bus: Bus,
  subject: Subject,
  request: Calls[Subject]['request'],
  context: MessageContext,
  atMostMs?: number,
): Promise<Calls[Subject]['answer']> {
  try {
    return await call(bus, subject, request, contextWithin(context, atMostMs))
  } catch (cause) {
    if (isUnanswered(cause)) throw new Unavailable(`nobody answered ${subject}`, { cause })
    throw cause
  }
}
