/**
 * Gathers the requests of one turn of the event loop, and sends those to one service as one message. A request that is
 * alone in its turn goes as it is: nothing waits for a timer.
 *
 * Invariant: a batch is never sent again. Its requests fail with NoResponders only if no process received it.
 */

import type { Msg } from 'nats'
import { type BatchedRequest, decodeAnswers, encodeRequests } from './batch-frames.ts'
import { batchSubject, collectSubject } from './batch-subjects.ts'
import { NoResponders } from './errors.ts'
import { type Inbox, isNoResponders } from './inbox.ts'
import { type Request, settle } from './request.ts'
import type { Writer } from './writer.ts'

/** A batch on its way. Requests are found by their numbers until they are answered. */
type Batch = {
  readonly service: string
  readonly requests: Map<number, Request>
  readonly reply: string
  received: boolean
}

const maxItems = 64
const maxChars = 262_144

type Options = {
  inbox: Inbox
  writer: Writer
  sendAlone: (request: Request) => void
  onError: (error: unknown) => void
}

export type RequestBatches = { add(service: string, request: Request): void }

export function createRequestBatches(options: Options): RequestBatches {
  const { writer, sendAlone } = options
  /** The requests to each service that wait for the end of the turn. */
  const waiting = new Map<string, Request[]>()
  const sendGathered = (service: string) => {
    const requests = waiting.get(service) ?? []
    waiting.delete(service)
    for (const part of partsOf(requests.filter(({ settled }) => !settled))) {
      if (part.length === 1) sendAlone(part[0] as Request)
      else sendBatch(service, part, options)
    }
  }
  return {
    add: (service, request) => {
      const others = waiting.get(service)
      if (others) return void others.push(request)
      waiting.set(service, [request])
      writer.atTurnEnd(() => sendGathered(service))
    },
  }
}

function sendBatch(service: string, items: readonly Request[], options: Options): void {
  const { inbox, writer } = options
  const requests = new Map(items.entries())
  const reply = inbox.open((message) => {
    if (isNoResponders(message)) refuse(batch, options)
    else takeAnswers(batch, message, options)
  })
  const batch: Batch = { service, requests, reply, received: false }
  for (const [number, request] of requests)
    request.leave = () => {
      requests.delete(number)
      if (requests.size === 0) inbox.close(reply)
    }
  const data = encodeRequests(items as readonly BatchedRequest[])
  writer.write({ subject: batchSubject(service), data, reply, onUnsendable: () => sendAllAlone(batch, options) })
}

/** Ends a batch without a receiver. If its process has gone since, the requests may have been carried out: they time out. */
function refuse({ received, reply, requests }: Batch, { inbox }: Options): void {
  inbox.close(reply)
  if (received) return
  for (const request of requests.values()) {
    settle(request)
    request.reject(new NoResponders())
  }
}

function sendAllAlone({ reply, requests }: Batch, { inbox, sendAlone }: Options): void {
  inbox.close(reply)
  for (const request of requests.values()) sendAlone(request)
}

/** Hands out answers, and asks the process of the batch for the others. */
function takeAnswers(batch: Batch, message: Msg, { inbox, writer, sendAlone, onError }: Options): void {
  const { service, requests, reply } = batch
  batch.received = true
  const { more, answers } = readAnswers(message, onError)
  for (const [number, data] of answers) {
    const request = requests.get(number)
    if (!request) continue
    if (data === null) {
      requests.delete(number)
      sendAlone(request)
    } else {
      settle(request)
      request.resolve(data)
    }
  }
  if (more === null || requests.size === 0) return inbox.close(reply)
  writer.write({ subject: collectSubject(service, more), data: '', reply, onUnsendable: () => inbox.close(reply) })
}

/** Reads the answers of a batch. The requests of a message that cannot be read time out. */
function readAnswers(message: Msg, onError: (error: unknown) => void): ReturnType<typeof decodeAnswers> {
  try {
    return decodeAnswers(message.data)
  } catch (error) {
    onError(error)
    return { more: null, answers: [] }
  }
}

/** Divides requests into batches of a bounded size. */
function partsOf(requests: readonly Request[]): Request[][] {
  const parts: Request[][] = []
  let part: Request[] = []
  let chars = 0
  for (const request of requests) {
    if (part.length === 0 || part.length >= maxItems || chars + request.data.length > maxChars) {
      part = []
      parts.push(part)
      chars = 0
    }
    part.push(request)
    chars += request.data.length
  }
  return parts
}
