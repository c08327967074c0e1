/**
 * A question to another service while a request is answered. It moves nothing, so silence means no more than that the
 * service is out of reach: the client hears 503 `service_unavailable` and may ask again.
 */

import { Unavailable } from '@financial-agents/runtime/unavailable'
import type { CallSubject, Calls } from './calls.ts'
import type { Bus } from './connect.ts'
import { isUnanswered } from './errors.ts'
import { contextWithin, type MessageContext } from './headers.ts'
import { call } from './rpc.ts'

/**
 * Asks on nobody's behalf, within the patience of who sent the request.
 * @param atMostMs how long the answer is waited for however patient that is
 * @throws Problem as the other side refused; Unavailable where nobody answered
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
