/**
 * What is not HTTP, too large a head, or too slow gets a problem too, written to the socket by hand: there is no request
 * to answer. So does a tunnel, which Node hands over as a bare socket. What breaks after a request has begun is part of no
 * answer: the requests that have begun are answered, and the connection ends.
 */

import { randomUUID } from 'node:crypto'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Problem, renderProblem } from '@financial-agents/contract/problem'
import type { ProblemCode } from '@financial-agents/contract/problem-catalogue'
import { breakBody } from './body.ts'
import { endAfterAnswers } from './connections.ts'
import { noteProblem } from './measure.ts'

const codes: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'request_header_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Node's own mark of the request that is being parsed. */
type Marks = { parser?: { incoming?: IncomingMessage | null } | null }

export function answerParseError(error: NodeJS.ErrnoException, socket: Socket, baseUrl: string): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const { parser } = socket as Socket & Marks
  const code = codes[error.code ?? ''] ?? 'malformed_request'
  const broken = parser?.incoming?.complete === false ? parser.incoming : undefined
  if (broken) breakBody(broken, new Problem(code))
  if (endAfterAnswers(socket)) return
  // An answer here could be taken for a second one to the request that broke.
  if (broken) return void socket.destroy()
  noteProblem(code)
  end(socket, rawProblem(code, baseUrl))
}

/** RFC 9110 §9.3.6: there are no tunnels here. Nobody else listens to the socket any more. */
export function refuseTunnel(socket: Duplex, baseUrl: string): void {
  socket.on('error', () => socket.destroy())
  if (endAfterAnswers(socket)) return
  noteProblem('method_not_allowed')
  end(socket, rawProblem('method_not_allowed', baseUrl, ['Allow: ']))
}

function end(socket: Duplex, answer: string): void {
  socket.end(answer, () => socket.destroy())
}

function rawProblem(code: ProblemCode, baseUrl: string, more: readonly string[] = []): string {
  const requestId = randomUUID()
  const where = { baseUrl, instance: '/', requestId, refreshOnboarding: false }
  const problem = renderProblem(new Problem(code).data, where)
  const body = JSON.stringify(problem)
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    ...more,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
