/** What travels beside a message: the request's id and trace, the time it has left, and for whom it acts. */

import { randomUUID } from 'node:crypto'
import type { Principal } from '@financial-agents/contract/principal'
import { traceparentOrNew } from '@financial-agents/runtime/context'
import { headers, type Msg, type MsgHdrs } from 'nats'

/** What travels beside a message. */
export type MessageContext = {
  requestId: string
  /** W3C Trace Context. */
  traceparent: string
  /** How long the sender waits. */
  timeoutMs: number
  principal?: Principal
}

/** For a message that no single request of a client is behind: a batch, a sweep. */
export function newContext(timeoutMs: number): MessageContext {
  return { requestId: randomUUID(), traceparent: traceparentOrNew(undefined), timeoutMs }
}

/** Kept back from the sender's patience, so that an answer, or a refusal, is there before it gives up. */
const answerMarginMs = 150
const leastMs = 100

/**
 * For a question that is asked while a message is answered: of the same request, on nobody's behalf, and over before the
 * sender of the message gives up.
 *
 * @param atMostMs how long the question may take however patient the sender is
 */
export function contextWithin(
  { requestId, traceparent, timeoutMs }: MessageContext,
  atMostMs = Number.POSITIVE_INFINITY,
): MessageContext {
  return { requestId, traceparent, timeoutMs: Math.max(leastMs, Math.min(atMostMs, timeoutMs - answerMarginMs)) }
}

/** The context as headers of a message. */
export function encodeHeaders(context: MessageContext): MsgHdrs {
  const encoded = headers()
  encoded.set('Request-Id', context.requestId)
  encoded.set('traceparent', context.traceparent)
  encoded.set('Timeout-Ms', String(context.timeoutMs))
  if (context.principal) encoded.set('Principal', JSON.stringify(context.principal))
  return encoded
}

/** The context of a message; what is missing is told by values that no request has. */
export function decodeHeaders(message: Msg): MessageContext {
  const given = message.headers
  const principal = given?.get('Principal')
  return {
    requestId: given?.get('Request-Id') || 'unknown-request',
    traceparent: given?.get('traceparent') ?? '',
    timeoutMs: Number(given?.get('Timeout-Ms')) || 0,
    ...(principal ? { principal: JSON.parse(principal) as Principal } : {}),
  }
}
