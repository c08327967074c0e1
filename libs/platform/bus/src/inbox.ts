/** The replies to everything that a connection asks. They arrive through one subscription. */

import type { Msg, NatsConnection } from 'nats'

/** Reply subjects of one connection. */
export type Inbox = {
  /** Opens a reply subject, and returns it. `take` gets every message that arrives there until it is closed. */
  open(take: (message: Msg) => void): string
  close(reply: string): void
}

/** Subscribes to `<prefix>.*`. `onError` is called if the server refuses the subscription. */
export function createInbox(connection: NatsConnection, prefix: string, onError: (error: unknown) => void): Inbox {
  const takers = new Map<string, (message: Msg) => void>()
  let counter = 0
  connection.subscribe(`${prefix}.*`, {
    callback: (error, message) => {
      // The server refused the subscription because the key belongs to another user. There is no message in this case.
      if (error) onError(error)
      else takers.get(message.subject)?.(message)
    },
  })
  return {
    open: (take) => {
      counter += 1
      const reply = `${prefix}.${counter.toString(36)}`
      takers.set(reply, take)
      return reply
    },
    close: (reply) => {
      takers.delete(reply)
    },
  }
}

/** True for the server's own reply: nobody has subscribed to the subject of the request. */
export function isNoResponders(message: Msg): boolean {
  return message.data.length === 0 && message.headers?.code === 503
}
