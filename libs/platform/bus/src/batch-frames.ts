/**
 * The format of batches: requests that go to one service as one message, and answers that come back as one message. A
 * message begins with one line of JSON, which describes the items and their lengths. The items follow as they are.
 *
 * Invariant: an item is cut out by its length alone. No content of one item can change another item.
 */

import type { Principal } from '@financial-agents/contract/principal'
import type { MessageContext } from './headers.ts'

export type BatchedRequest = { subject: string; data: string; context: MessageContext }

type RequestHead = [
  subject: string,
  chars: number,
  requestId: string,
  traceparent: string,
  timeoutMs: number,
  principal: Principal | null,
]

/** The number of a request in the answers is its position. */
export function encodeRequests(requests: readonly BatchedRequest[]): string {
  const heads = requests.map(({ subject, data, context }): RequestHead => {
    const { requestId, traceparent, timeoutMs, principal = null } = context
    return [subject, data.length, requestId, traceparent, timeoutMs, principal]
  })
  let text = `${JSON.stringify(heads)}\n`
  for (const { data } of requests) text += data
  return text
}

/** @throws SyntaxError if the message is not a batch */
export function decodeRequests(message: Uint8Array): BatchedRequest[] {
  const text = bytesOf(message).toString()
  const begin = text.indexOf('\n') + 1
  const heads = JSON.parse(text.slice(0, begin)) as RequestHead[]
  let at = begin
  return heads.map(([subject, chars, requestId, traceparent, timeoutMs, principal]) => {
    const data = text.slice(at, at + chars)
    at += chars
    return { subject, data, context: { requestId, traceparent, timeoutMs, ...(principal && { principal }) } }
  })
}

/** One answer: the number of the request, and the reply. null says that nothing here serves the request's subject. */
export type BatchedAnswer<Reply> = readonly [index: number, reply: Reply | null]

const unserved = -1

/** `more` names the process and the batch from which the other answers can be collected. */
export function encodeAnswers(more: string | null, answers: readonly BatchedAnswer<string>[]): string {
  let head = JSON.stringify([more]).slice(0, -1)
  let replies = ''
  for (const [index, reply] of answers) {
    head += `,${index},${reply === null ? unserved : Buffer.byteLength(reply)}`
    replies += reply ?? ''
  }
  return `${head}]\n${replies}`
}

/** The names of a process and of its batch. The requester makes a subject of them, so nothing else may stand there. */
const collectable = /^[0-9a-f]{18}\.[0-9a-z]{1,16}$/

/** Decodes answers. The replies are parts of the message, not copies. @throws SyntaxError if they are not answers */
export function decodeAnswers(message: Uint8Array): { more: string | null; answers: BatchedAnswer<Uint8Array>[] } {
  const bytes = bytesOf(message)
  let at = bytes.indexOf(lineEnd) + 1
  const [more, ...numbers] = JSON.parse(bytes.toString('latin1', 0, at)) as [string | null, ...number[]]
  if (more !== null && !collectable.test(more)) throw new SyntaxError('the message is not the answers of a batch')
  const answers: BatchedAnswer<Uint8Array>[] = []
  for (let next = 0; next < numbers.length; next += 2) {
    const length = numbers[next + 1] as number
    answers.push([numbers[next] as number, length === unserved ? null : bytes.subarray(at, at + length)])
    if (length > 0) at += length
  }
  return { more, answers }
}

const lineEnd = 10

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
