/**
 * What is not HTTP, too large a head, or too slow gets a problem too, written to the socket by hand: there is no request
 * to answer. Where an answer to an earlier request is still under way the connection is only closed.
 */

import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem, renderProblem } from '@financial-agents/contract/problem'
import type { ProblemCode } from '@financial-agents/contract/problem-catalogue'

const codes: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'request_header_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

export function answerParseError(error: NodeJS.ErrnoException, socket: Socket, baseUrl: string): void {
  // Node's own mark of a response under way (its default handler looks at it too).
  const { _httpMessage: underWay } = socket as Socket & { _httpMessage?: unknown }
  if (!socket.writable || error.code === 'ECONNRESET' || underWay) return void socket.destroy()
  socket.end(rawProblem(codes[error.code ?? ''] ?? 'malformed_request', baseUrl), () => socket.destroy())
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
