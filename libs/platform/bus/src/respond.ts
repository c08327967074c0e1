/** Answers the messages of one subject, as a member of a queue group or alone. */

import type { NatsConnection, Subscription } from 'nats'
import { decodeHeaders, type MessageContext } from './headers.ts'
import type { Writer } from './writer.ts'

/** Answers one message. An exception is a bug: it is passed to `onError` and never sent. */
export type RawHandler = (data: string, context: MessageContext) => Promise<string>

/** The handler of a subject, and its limits. */
export type RespondOptions = {
  handler: RawHandler
  maxInFlight: number
  busy: string
  /** The reply that replaces a reply that is too large to send. */
  unsendable?: string
  onError: (error: unknown) => void
}

/** Handles one message, and calls `answer` once, without a reply if there is none. */
export type Take = (data: string, context: MessageContext, answer: (reply?: string) => void) => void

/** Creates the function that handles the messages of a subject within its limits. */
export function createTake(options: RespondOptions, inFlight: Set<Promise<void>>): Take {
  const { handler, maxInFlight, busy, onError } = options
  let running = 0
  return (data, context, answer) => {
    if (running >= maxInFlight) return answer(busy)
    running += 1
    const answered: Promise<void> = handler(data, context)
      .then(answer, (error: unknown) => {
        onError(error)
        answer()
      })
      .finally(() => {
        running -= 1
        inFlight.delete(answered)
      })
    inFlight.add(answered)
  }
}

type Options = { connection: NatsConnection; writer: Writer; queue: string | null; take: Take; options: RespondOptions }

/** Subscribes to a subject. Every message that names a reply subject is answered there. */
export function subscribeTo(subject: string, { connection, writer, queue, take, options }: Options): Subscription {
  const { onError, unsendable } = options
  const send = (to: string, data: string) => {
    const onUnsendable = (error: Error) => {
      onError(error)
      if (unsendable !== undefined) writer.write({ subject: to, data: unsendable, onUnsendable: onError })
    }
    writer.write({ subject: to, data, onUnsendable })
  }
  return connection.subscribe(subject, {
    ...(queue === null ? {} : { queue }),
    callback: (error, message) => {
      if (error) return onError(error)
      const { reply: to } = message
      if (!isReplySubject(to)) return onError(new Error('a request named a foreign reply subject'))
      take(message.string(), decodeHeaders(message), (reply) => {
        if (to && reply !== undefined) send(to, reply)
      })
    },
  })
}

/**
 * True for subjects to which replies may be sent: inboxes, and `_R_`, the server's own subjects across accounts. A
 * requester may name any reply subject. A reply to another subject would let the requester publish with the responder's
 * rights, even into a stream.
 */
export function isReplySubject(reply: string | undefined): boolean {
  return reply === undefined || reply === '' || reply.startsWith('_INBOX.') || reply.startsWith('_R_.')
}
