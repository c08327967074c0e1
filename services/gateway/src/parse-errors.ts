/**
 * Answers input that is not HTTP, a head that is too large, and a request that is too slow. The problem is written
 * directly to the socket, because there is no request to answer. A tunnel is answered in the same way, because Node
 * passes it as a bare socket. If input breaks after requests have begun, these requests are answered and the connection
 * ends.
 */

import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Problem, renderProblem } from '@financial-agents/contract/problem'
import type { ProblemCode } from '@financial-agents/contract/problem-catalogue'
import { breakBody } from './body.ts'
import { endAfterAnswers } from './connections.ts'
import { splitTarget } from './exchange.ts'
import { noteProblem } from './measure.ts'
import { readHeaders } from './request-headers.ts'
import { requestIdOf } from './request-id.ts'

const codes: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'request_header_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** A method that HTTP does not know, in a request line that is otherwise one. */
const unknownMethod = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]\r?\n/

/** Node adds the packet in which the parser failed. */
type ParseError = NodeJS.ErrnoException & { rawPacket?: unknown }

/** Node's internal reference to the request that is being parsed. */
type Marks = { parser?: { incoming?: IncomingMessage | null } | null }

export function answerParseError(error: ParseError, socket: Socket, baseUrl: string): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const { parser } = socket as Socket & Marks
  const packet = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1') : ''
  const isUnknown = error.code === 'HPE_INVALID_METHOD' && unknownMethod.test(packet)
  const code = isUnknown ? 'method_not_implemented' : (codes[error.code ?? ''] ?? 'malformed_request')
  const broken = parser?.incoming?.complete === false ? parser.incoming : undefined
  if (broken) breakBody(broken, new Problem(code))
  if (endAfterAnswers(socket)) return
  // An answer here could be taken for a second answer to the broken request.
  if (broken) return void socket.destroy()
  noteProblem(code)
  end(socket, rawProblem(code, { baseUrl, ...readHead(packet) }))
}

/** RFC 9110 §9.3.6: tunnels are not supported. Node no longer handles this socket's errors. */
export function refuseTunnel(request: IncomingMessage, socket: Duplex, baseUrl: string): void {
  socket.on('error', () => socket.destroy())
  if (endAfterAnswers(socket)) return
  noteProblem('method_not_allowed')
  end(socket, rawProblem('method_not_allowed', { baseUrl, instance: '/', rawHeaders: request.rawHeaders }, ['Allow: ']))
}

function end(socket: Duplex, answer: string): void {
  socket.end(answer, () => socket.destroy())
}

type Head = { instance: string; rawHeaders: string[] }

/**
 * Reads the path and the headers of a head that is not HTTP as a whole. The packet has the start of the head, unless it came
 * in several packets.
 */
function readHead(packet: string): Head {
  const [head = ''] = packet.split(/\r?\n\r?\n/, 1)
  const [line = '', ...fields] = head.split(/\r?\n/)
  const target = /^\S+ (\S+)/.exec(line)?.[1] ?? '/'
  const { path } = splitTarget(target)
  const rawHeaders = fields.flatMap((field) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*(.*?)[\t ]*$/.exec(field) ?? []
    return name === undefined || value === undefined ? [] : [name, value]
  })
  return { instance: /^[\x21-\x7e]+$/.test(path) ? path : '/', rawHeaders }
}

function rawProblem(code: ProblemCode, head: Head & { baseUrl: string }, more: readonly string[] = []): string {
  const { baseUrl, instance, rawHeaders } = head
  const requestId = requestIdOf(readHeaders(rawHeaders))
  const where = { baseUrl, instance, requestId, refreshOnboarding: false }
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
