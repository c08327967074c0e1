/**
 * Collects the messages of one turn of the event loop. The client then sends them in one write: most of the cost of a
 * small message is the wake-up of its receiver, not its bytes.
 */

import type { NatsConnection } from 'nats'
import { encodeHeaders, type MessageContext } from './headers.ts'

export type Outgoing = {
  subject: string
  data: string | Uint8Array
  reply?: string
  context?: MessageContext | undefined
  /** Called if the message exceeds the server's limit or the connection is closing. */
  onUnsendable: (error: Error) => void
}

/** Sends messages at the end of a turn. */
export type Writer = {
  write(outgoing: Outgoing): void
  /** Runs `work` at the end of the turn. It writes what the turn has gathered. */
  atTurnEnd(work: () => void): void
}

export function createWriter(connection: NatsConnection): Writer {
  let waiting: (() => void)[] = []
  let ending = false
  const send = ({ subject, data, reply, context, onUnsendable }: Outgoing) => {
    try {
      connection.publish(subject, data, {
        ...(reply === undefined ? {} : { reply }),
        ...(context === undefined ? {} : { headers: encodeHeaders(context) }),
      })
    } catch (error) {
      onUnsendable(error as Error)
    }
  }
  const endTurn = () => {
    const work = waiting
    waiting = []
    if (connection.isClosed()) return
    ending = true
    try {
      for (const each of work) each()
    } finally {
      ending = false
    }
  }
  const atTurnEnd = (work: () => void) => {
    if (waiting.length === 0) setImmediate(endTurn)
    waiting.push(work)
  }
  return {
    atTurnEnd,
    write: (outgoing) => {
      if (ending) send(outgoing)
      else atTurnEnd(() => send(outgoing))
    },
  }
}
