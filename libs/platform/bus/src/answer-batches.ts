/**
 * Answers the batches of a service. The answers that are ready in the same turn of the event loop go back as one message.
 *
 * Invariants: a request of a batch is handled as if it had come alone: it has its own handler, limit and answer. No answer
 * waits for another one. Across the account boundary a message can have only one reply. That reply has the answers that are
 * ready first; the requester collects the others from this process.
 */

import { randomBytes } from 'node:crypto'
import type { Msg, NatsConnection, Subscription } from 'nats'
import { type BatchedAnswer, decodeRequests, encodeAnswers } from './batch-frames.ts'
import { batchSubject, collectSubject } from './batch-subjects.ts'
import { isReplySubject, type RespondOptions, type Take } from './respond.ts'
import { type Batch, createUncollected, type Uncollected } from './uncollected.ts'
import type { Writer } from './writer.ts'

/** A subject whose requests may come in batches. */
export type Served = { take: Take; options: RespondOptions }

type Options = { connection: NatsConnection; service: string; writer: Writer }
type Dependencies = Options & { process: string; served: ReadonlyMap<string, Served>; uncollected: Uncollected }

/** The batches of a service, answered by this process. */
export type AnswerBatches = {
  serve(subject: string, served: Served): void
  /** Receives no further batches. */
  stop(): Promise<void>
  /** Resolves when the answers of all batches have been collected, or nobody collects them. */
  collected(): Promise<void>
}

/** Batches are received once a subject is served. */
export function createAnswerBatches(options: Options): AnswerBatches {
  const { service } = options
  const served = new Map<string, Served>()
  const dependencies: Dependencies = {
    ...options,
    process: randomBytes(9).toString('hex'),
    served,
    uncollected: createUncollected(),
  }
  let subscription: Subscription | undefined
  return {
    serve: (subject, one) => {
      served.set(subject, one)
      if (subscription) return
      subscription = subscribe(batchSubject(service), dependencies, one.options, (message) =>
        receive(message, dependencies),
      )
      subscribe(collectSubject(service, `${dependencies.process}.*`), dependencies, one.options, (message) =>
        collect(message, dependencies),
      )
    },
    stop: async () => subscription?.drain(),
    collected: () => dependencies.uncollected.emptied(),
  }
}

type HandleMessage = (message: Msg) => void

function subscribe(
  subject: string,
  dependencies: Dependencies,
  { onError }: RespondOptions,
  handle: HandleMessage,
): Subscription {
  return dependencies.connection.subscribe(subject, {
    queue: dependencies.service,
    callback: (error, message) => {
      if (error) return onError(error)
      if (!message.reply || !isReplySubject(message.reply))
        return onError(new Error('a batch named a foreign reply subject'))
      try {
        handle(message)
      } catch (malformed) {
        onError(malformed)
      }
    },
  })
}

/** Hands every request of a batch to the handler of its subject. */
function receive(message: Msg, dependencies: Dependencies): void {
  const requests = decodeRequests(message.data)
  const batch: Batch = {
    id: dependencies.uncollected.nextId(),
    subjects: requests.map(({ subject }) => subject),
    endsAfterMs: Math.max(...requests.map(({ context }) => context.timeoutMs)),
    replyTo: message.reply,
    answering: false,
    open: requests.length,
    ready: [],
  }
  const answer = (index: number, reply: string | null | undefined) => {
    batch.open -= 1
    if (reply !== undefined) batch.ready.push([index, reply])
    offer(batch, dependencies)
  }
  for (const [index, { subject, data, context }] of requests.entries()) {
    const one = dependencies.served.get(subject)
    if (one) one.take(data, context, (reply) => answer(index, reply))
    else answer(index, null)
  }
}

function collect(message: Msg, dependencies: Dependencies): void {
  const batch = dependencies.uncollected.find(message.subject.slice(message.subject.lastIndexOf('.') + 1))
  if (!batch) return void message.respond(encodeAnswers(null, []))
  batch.replyTo = message.reply
  offer(batch, dependencies)
}

/** Answers at the end of the turn, if there is something to answer and a subject to which it can go. */
function offer(batch: Batch, dependencies: Dependencies): void {
  if (batch.replyTo === undefined || batch.answering) return
  if (batch.ready.length === 0 && batch.open > 0) return
  batch.answering = true
  dependencies.writer.atTurnEnd(() => answerReady(batch, dependencies))
}

function answerReady(batch: Batch, { connection, process, served, uncollected, writer }: Dependencies): void {
  const { replyTo: subject = '' } = batch
  const answers = takeReady(batch, Math.min(maxAnswerChars, (connection.info?.max_payload ?? usualMaxPayload) / 4))
  const hasMore = batch.open > 0 || batch.ready.length > 0
  const more = hasMore ? `${process}.${batch.id}` : null
  batch.answering = false
  batch.replyTo = undefined
  if (hasMore) uncollected.keep(batch)
  else uncollected.forget(batch)
  // Only an answer that is alone in its message can be too large.
  const onUnsendable = (error: Error) => {
    const [index = 0] = answers[0] ?? []
    const options = served.get(batch.subjects[index] ?? '')?.options
    options?.onError(error)
    const instead: BatchedAnswer<string>[] = options?.unsendable === undefined ? [] : [[index, options.unsendable]]
    writer.write({ subject, data: encodeAnswers(more, instead), onUnsendable: (again) => options?.onError(again) })
  }
  writer.write({ subject, data: encodeAnswers(more, answers), onUnsendable })
}

const maxAnswerChars = 131_072
const usualMaxPayload = 1_048_576

/** Takes ready answers up to a number of characters, at least one of them. */
function takeReady(batch: Batch, maxChars: number): BatchedAnswer<string>[] {
  let chars = 0
  const end = batch.ready.findIndex(([, reply], index) => {
    chars += reply?.length ?? 0
    return index > 0 && chars > maxChars
  })
  return batch.ready.splice(0, end === -1 ? batch.ready.length : end)
}
