/**
 * Answers input that is not HTTP, a head that is too large, and a request that is too slow. The problem is written
 * directly to the socket, because there is no request to answer. A tunnel is answered in the same way, because Node
 * passes it as a bare socket. If input breaks after requests have begun, these requests are answered and the connection
 * ends.
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

/** Node's internal reference to the request that is being parsed. */
type Marks = { parser?: { incoming?: IncomingMessage | null } | null }

export function answerParseError(error: NodeJS.ErrnoException, socket: Socket, baseUrl: string): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const { parser } = socket as Socket & Marks
  const code = codes[error.code ?? ''] ?? 'malformed_request'
  const broken = parser?.incoming?.complete === false ? parser.incoming : undefined
  if (broken) breakBody(broken, new Problem(code))
  if (endAfterAnswers(socket)) return
  // An answer here could be taken for a second answer to the broken request.
  if (broken) return void socket.destroy()
  noteProblem(code)
  end(socket, rawProblem(code, baseUrl))
}

/** RFC 9110 §9.3.6: tunnels are not supported. Node no longer handles this socket's errors. */
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
