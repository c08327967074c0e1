/**
 * Gathers the requests of one turn of the event loop, and sends those to one service as one message. A request that is
 * alone in its turn goes as it is: nothing waits for a timer.
 *
 * Invariant: a batch that no process received is sent again as single requests, so a service of a release without
 * batches is understood. A batch that a process may have received is never sent again.
 */

import type { Msg } from 'nats'
import { type BatchedRequest, decodeAnswers, encodeRequests } from './batch-frames.ts'
import { batchSubject, collectSubject } from './batch-subjects.ts'
import { type Inbox, isNoResponders } from './inbox.ts'
import { type Request, settle } from './request.ts'
import type { Writer } from './writer.ts'

/** The requests to one service that wait for the end of the turn. */
type Lane = {
  readonly service: string
  waiting: Request[]
  /** Until this time (monotonic clock), requests are sent one by one, because no process received the last batch. */
  singlyUntilMs: number
}

/** A batch on its way. Requests are found by their numbers until they are answered. */
type Batch = { readonly lane: Lane; readonly requests: Map<number, Request>; readonly reply: string; received: boolean }

const maxItems = 64
const maxChars = 262_144
const singlyMs = 10_000

type Options = {
  inbox: Inbox
  writer: Writer
  sendAlone: (request: Request) => void
  onError: (error: unknown) => void
}

/** Gathers requests by service. */
export type RequestBatches = { add(service: string, request: Request): void }

/** Creates the batches of a connection. */
export function createRequestBatches(options: Options): RequestBatches {
  const { writer, sendAlone } = options
  const lanes = new Map<string, Lane>()
  const sendGathered = (lane: Lane) => {
    const requests = lane.waiting.filter(({ settled }) => !settled)
    lane.waiting = []
    const parts = performance.now() < lane.singlyUntilMs ? requests.map((one) => [one]) : partsOf(requests)
    for (const part of parts) {
      if (part.length === 1) sendAlone(part[0] as Request)
      else sendBatch(lane, part, options)
    }
  }
  return {
    add: (service, request) => {
      const lane = lanes.get(service) ?? { service, waiting: [], singlyUntilMs: 0 }
      lanes.set(service, lane)
      if (lane.waiting.length === 0) writer.atTurnEnd(() => sendGathered(lane))
      lane.waiting.push(request)
    },
  }
}

function sendBatch(lane: Lane, items: readonly Request[], options: Options): void {
  const { inbox, writer } = options
  const requests = new Map(items.entries())
  const reply = inbox.open((message) => {
    if (isNoResponders(message)) resend(batch, options)
    else takeAnswers(batch, message, options)
  })
  const batch: Batch = { lane, requests, reply, received: false }
  for (const [number, request] of requests)
    request.leave = () => {
      requests.delete(number)
      if (requests.size === 0) inbox.close(reply)
    }
  const data = encodeRequests(items as readonly BatchedRequest[])
  writer.write({ subject: batchSubject(lane.service), data, reply, onUnsendable: () => sendAllAlone(batch, options) })
}

/** Sends the requests of a batch that no process received. */
function resend(batch: Batch, options: Options): void {
  // The process that received the batch is gone. Its requests may have been carried out, so they time out.
  if (batch.received) return options.inbox.close(batch.reply)
  batch.lane.singlyUntilMs = performance.now() + singlyMs
  sendAllAlone(batch, options)
}

function sendAllAlone({ reply, requests }: Batch, { inbox, sendAlone }: Options): void {
  inbox.close(reply)
  for (const request of requests.values()) sendAlone(request)
}

/** Hands out answers, and asks the process of the batch for the others. */
function takeAnswers(batch: Batch, message: Msg, { inbox, writer, sendAlone, onError }: Options): void {
  const { lane, requests, reply } = batch
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
  writer.write({ subject: collectSubject(lane.service, more), data: '', reply, onUnsendable: () => inbox.close(reply) })
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
