/**
 * Takes messages from a stream one at a time, and only while there is room to work on them: what a busy process does
 * not ask for stays free for another. A message under way is kept from being delivered again.
 *
 * Invariant: a message is acknowledged only when its handler has resolved, or when it came in vain so often that it is
 * left to the sender's sweep.
 */

import type { Bus } from '@financial-agents/bus/connect'

export type PullOptions = {
  stream: string
  durable: string
  /** Requests for a message open at once. */
  loops: number
  waitForRoom: () => Promise<void>
  /** Throwing brings the message back after `retryAfterMs`, until it was delivered `maxDeliveries` times. */
  handle: (data: Uint8Array) => Promise<void>
  retryAfterMs: number
  /** What waits for another delivery takes up room in the consumer; afterwards the sender's sweep brings it again. */
  maxDeliveries: number
  onError: (error: unknown) => void
}

type Message = NonNullable<
  Awaited<ReturnType<Awaited<ReturnType<ReturnType<Bus['jetstream']>['consumers']['get']>>['next']>>
>

/** How long one request waits; also how long a stop takes at most, and how soon a wiped store is noticed. */
const expiresMs = 1_000
/** Well under the time after which the server delivers again. */
const workingMs = 10_000

export function pull(bus: Bus, options: PullOptions): { stop(): Promise<void> } {
  const state = { stopped: false }
  const inFlight = new Set<Promise<void>>()

  const loop = async () => {
    while (!state.stopped) {
      try {
        const consumer = await bus.jetstream().consumers.get(options.stream, options.durable)
        let message: Message | null
        do {
          await options.waitForRoom()
          message = state.stopped ? null : await consumer.next({ expires: expiresMs })
          if (message !== null) start(message)
        } while (message !== null && !state.stopped)
      } catch (error) {
        if (state.stopped) return
        options.onError(error)
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
    }
  }
  const start = (message: Message) => {
    if (state.stopped) return message.nak()
    const handled: Promise<void> = handleMessage(message, options).finally(() => inFlight.delete(handled))
    inFlight.add(handled)
  }
  const loops = Array.from({ length: options.loops }, loop)
  return {
    stop: async () => {
      state.stopped = true
      await Promise.race([Promise.all(loops), new Promise((resolve) => setTimeout(resolve, expiresMs * 2))])
      await Promise.allSettled(inFlight)
    },
  }
}

async function handleMessage(message: Message, options: PullOptions): Promise<void> {
  const busy = setInterval(() => message.working(), workingMs)
  try {
    await options.handle(message.data)
    message.ack()
  } catch (error) {
    options.onError(error)
    if (message.info.deliveryCount < options.maxDeliveries) message.nak(options.retryAfterMs)
    else message.ack()
  } finally {
    clearInterval(busy)
  }
}
