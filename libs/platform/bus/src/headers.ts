/** The context of a message, sent as its headers: request id, trace, time-out and principal. */

import { randomUUID } from 'node:crypto'
import type { Principal } from '@financial-agents/contract/principal'
import { traceparentOrNew } from '@financial-agents/runtime/context'
import type { Msg, MsgHdrs } from 'nats'

export type MessageContext = {
  requestId: string
  /** W3C Trace Context. */
  traceparent: string
  /** The time for which the sender waits, in milliseconds. */
  timeoutMs: number
  principal?: Principal
}

/** Creates a context for a message without a client's request: a batch or a background job. */
export function newContext(timeoutMs: number): MessageContext {
  return { requestId: randomUUID(), traceparent: traceparentOrNew(undefined), timeoutMs }
}

/** Subtracted from the sender's time-out, so that an answer or a refusal arrives before the sender gives up. */
const answerMarginMs = 150
const leastMs = 100

/**
 * Creates the context of a question that is asked while a message is answered. It has the same request and no
 * principal, and its time-out ends before the sender of the message gives up.
 *
 * @param atMostMs a further limit for the question, in milliseconds
 */
export function contextWithin(
  { requestId, traceparent, timeoutMs }: MessageContext,
  atMostMs = Number.POSITIVE_INFINITY,
): MessageContext {
  return { requestId, traceparent, timeoutMs: Math.max(leastMs, Math.min(atMostMs, timeoutMs - answerMarginMs)) }
}

export function encodeHeaders({ requestId, traceparent, timeoutMs, principal }: MessageContext): MsgHdrs {
  if (breaksLines.test(requestId) || breaksLines.test(traceparent)) throw new Error('a header would end its line')
  // JSON contains no line ends: strings escape them.
  const who = principal === undefined ? '' : `Principal: ${JSON.stringify(principal)}\r\n`
  const lines = `NATS/1.0\r\nRequest-Id: ${requestId}\r\ntraceparent: ${traceparent}\r\nTimeout-Ms: ${timeoutMs}\r\n${who}\r\n`
  // To publish, the client only needs the bytes of the headers. Its own encoding takes several times as long.
  return { encode: () => Buffer.from(lines) } as unknown as MsgHdrs
}

const breaksLines = /[\r\n]/

/** Missing values become values that no real request has. */
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
