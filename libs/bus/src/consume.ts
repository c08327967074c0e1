/**
 * A durable pull consumer that hands over whatever arrived together. A batch that was handled is acknowledged, one that
 * failed comes again after a pause. The consumer survives a lost server and a wiped store: it asks again until its
 * durable is there.
 */

import type { ConsumerMessages, JsMsg } from 'nats'
import type { Bus } from './connect.ts'

export type ConsumeOptions<Message> = {
  stream: string
  durable: string
  /** Messages handed over at once; batches under way at once. */
  maxMessages: number
  concurrency: number
  /** Throwing brings the messages back after `retryAfterMs`. */
  handle: (messages: Message[]) => Promise<void>
  retryAfterMs: number
  onError: (error: unknown) => void
}

export type Consuming = { stop(): Promise<void> }

/** Starts consuming; every message is JSON. A message that is not is refused for good and reported. */
export function consume<Message>(bus: Bus, options: ConsumeOptions<Message>): Consuming {
  let stopped = false
  let messages: ConsumerMessages | undefined
  let waiting: JsMsg[] = []
  let running = 0
  let scheduled = false
  const inFlight = new Set<Promise<void>>()

  const schedule = () => {
    if (scheduled || running >= options.concurrency || waiting.length === 0) return
    scheduled = true
    setImmediate(start)
  }
  const start = () => {
    scheduled = false
    const batch = waiting.splice(0, options.maxMessages)
    running += 1
    const handled = handleBatch(batch, options).finally(() => {
      running -= 1
      inFlight.delete(handled)
      schedule()
    })
    inFlight.add(handled)
    schedule()
  }
  const callback = (message: JsMsg) => {
    waiting.push(message)
    schedule()
  }
  const loop = (async () => {
    while (!stopped) {
      try {
        const consumer = await bus.jetstream().consumers.get(options.stream, options.durable)
        messages = await consumer.consume({
          max_messages: 64,
          expires: 5_000,
          abort_on_missing_resource: true,
          callback,
        })
        if (stopped) messages.stop()
        const reason = await messages.closed()
        if (reason && !stopped) options.onError(reason)
      } catch (error) {
        if (!stopped) options.onError(error)
      }
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, 500))
    }
  })()
  return {
    stop: async () => {
      stopped = true
      messages?.stop()
      waiting = []
      await Promise.allSettled(inFlight)
      await Promise.race([loop, new Promise((resolve) => setTimeout(resolve, 1_000))])
    },
  }
}

async function handleBatch<Message>(batch: JsMsg[], options: ConsumeOptions<Message>): Promise<void> {
  const readable: JsMsg[] = []
  const contents: Message[] = []
  for (const message of batch) {
    try {
      contents.push(message.json<Message>())
      readable.push(message)
    } catch (error) {
      message.term()
      options.onError(error)
    }
  }
  try {
    await options.handle(contents)
    for (const message of readable) message.ack()
  } catch (error) {
    options.onError(error)
    for (const message of readable) message.nak(options.retryAfterMs)
  }
}
