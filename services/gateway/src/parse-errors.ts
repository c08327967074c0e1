/**
 * What is not HTTP, too large a head, or too slow gets a problem too, written to the socket by hand: there is no request
 * to answer. A body that breaks while it is read is answered by its reader. Anything else that breaks after a request has
 * begun only closes the connection: an answer there could be taken for the answer to another request.
 */

import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem, renderProblem } from '@financial-agents/contract/problem'
import type { ProblemCode } from '@financial-agents/contract/problem-catalogue'
import { breakBody } from './body.ts'
import { noteProblem } from './measure.ts'

const codes: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'request_header_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

type Marks = { parser?: { incoming?: IncomingMessage | null } | null; _httpMessage?: ServerResponse | null }

export function answerParseError(error: NodeJS.ErrnoException, socket: Socket, baseUrl: string): void {
  // Node's own marks of the request that is being parsed and of the response that is next.
  const { parser, _httpMessage: response } = socket as Socket & Marks
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const code = codes[error.code ?? ''] ?? 'malformed_request'
  const broken = parser?.incoming?.complete === false ? parser.incoming : undefined
  if (broken !== undefined && response?.req === broken && !response.headersSent) {
    response.shouldKeepAlive = false
    if (breakBody(broken, new Problem(code))) return
  }
  if (broken !== undefined || response) return void socket.destroy()
  noteProblem(code)
  socket.end(rawProblem(code, baseUrl), () => socket.destroy())
}

function rawProblem(code: ProblemCode, baseUrl: string): string {
  const requestId = randomUUID()
  const where = { baseUrl, instance: '/', requestId, refreshOnboarding: false }
  const problem = renderProblem(new Problem(code).data, where)
  const body = JSON.stringify(problem)
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
