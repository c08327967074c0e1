/** What travels beside a message: the request's id and trace, the time it has left, and for whom it acts. */

import { randomUUID } from 'node:crypto'
import type { Principal } from '@financial-agents/contract/principal'
import { traceparentOrNew } from '@financial-agents/runtime/context'
import type { Msg, MsgHdrs } from 'nats'

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
export function encodeHeaders({ requestId, traceparent, timeoutMs, principal }: MessageContext): MsgHdrs {
  if (breaksLines.test(requestId) || breaksLines.test(traceparent)) throw new Error('a header would end its line')
  // JSON has no line ends outside of its strings, where they are escaped.
  const who = principal === undefined ? '' : `Principal: ${JSON.stringify(principal)}\r\n`
  const lines = `NATS/1.0\r\nRequest-Id: ${requestId}\r\ntraceparent: ${traceparent}\r\nTimeout-Ms: ${timeoutMs}\r\n${who}\r\n`
  // All that the client asks of headers when it publishes is their bytes; its own way there takes several times as long.
  return { encode: () => Buffer.from(lines) } as unknown as MsgHdrs
}

const breaksLines = /[\r\n]/

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
