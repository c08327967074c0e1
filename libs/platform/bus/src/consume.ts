/**
 * A durable pull consumer. It hands off the messages that arrived together, and requests no more than it has room for,
 * so a busy process leaves messages to other processes. After the loss of a server or of its store, it repeats its
 * request until the durable exists again.
 *
 * Invariant: a message is acknowledged only after its handler has resolved, or after so many failed deliveries that it
 * is left to its sender's background job. While this process holds a message, the server does not deliver it again.
 */

import { observeReading } from '@financial-agents/runtime/metrics/metrics'
import type { ConsumerMessages, JsMsg, Subscription } from 'nats'
import type { Bus } from './connect.ts'

export type ConsumeOptions<Message> = {
  stream: string
  durable: string
  /**
   * `maxMessages` is the size of a batch, `concurrency` the number of batches at the same time. Their product is the
   * room.
   */
  maxMessages: number
  concurrency: number
  /**
   * Set if the consumer may have less room than that product. Resolves as soon as there is room, to the number of
   * further messages.
   */
  room?: () => Promise<number>
  /** If it returns false for the bytes of a message, the message is acknowledged without being parsed. By default, true. */
  concerns?: (data: Uint8Array) => boolean
  /** If the handler throws, the messages are delivered again after `retryAfterMs`. */
  handle: (messages: Message[]) => Promise<void>
  retryAfterMs: number
  /**
   * The number of failed deliveries after which a message is dropped. If it still matters, its sender's background job sends it
   * again.
   */
  maxDeliveries?: number
  onError: (error: unknown) => void
}

/** `stop` takes no further messages, returns waiting messages to the server at once, and waits for current batches. */
export type Consuming = { stop(): Promise<void> }

/** The time for which one request for messages stays open. */
const expiresMs = 5_000
/** The interval of `working` signals, well below the time after which the server delivers again. */
const workingMs = 10_000
const pauseAfterErrorMs = 500
/** The time that a server has to confirm that it will send no more messages. */
const leavingMs = 1_000

/** Starts consuming. Messages are JSON; any other message is terminated and reported. */
export function consume<Message>(bus: Bus, options: ConsumeOptions<Message>): Consuming {
  const state = { stopped: false, running: 0, scheduled: false }
  const waiting: JsMsg[] = []
  const held = new Set<JsMsg>()
  const inFlight = new Set<Promise<void>>()
  let asked: ConsumerMessages | undefined
  let makeRoom: () => void = () => {}

  const schedule = () => {
    if (state.scheduled || state.running >= options.concurrency || waiting.length === 0) return
    state.scheduled = true
    setImmediate(start)
  }
  const start = () => {
    state.scheduled = false
    const batch = waiting.splice(0, options.maxMessages)
    if (batch.length === 0) return
    state.running += 1
    const handled = handleBatch(bus, batch, options).finally(() => {
      state.running -= 1
      for (const message of batch) held.delete(message)
      inFlight.delete(handled)
      makeRoom()
      schedule()
    })
    inFlight.add(handled)
    schedule()
  }
  const take = (message: JsMsg) => {
    if (state.stopped) return settle(bus, message, 'nak')
    if (options.concerns?.(message.data) === false) return settle(bus, message, 'ack')
    held.add(message)
    waiting.push(message)
    schedule()
  }
  const room = async () => {
    const free = () => options.concurrency * options.maxMessages - held.size
    while (free() <= 0) await new Promise<void>((resolve) => (makeRoom = resolve))
    return options.room ? Math.min(free(), await options.room()) : free()
  }
  const receive = async () => {
    const consumer = await bus.jetstream().consumers.get(options.stream, options.durable)
    while (!state.stopped) {
      const max_messages = await room()
      if (state.stopped) return
      asked = await consumer.fetch({ max_messages, expires: expiresMs })
      if (state.stopped) void leave(asked)
      for await (const message of asked) take(message)
    }
  }
  void receiveUntilStopped(state, receive, options.onError)
  const keeping = setInterval(() => {
    for (const message of held) settle(bus, message, 'working')
  }, workingMs)
  const unobserve = observeLag(bus, options)
  return {
    stop: async () => {
      state.stopped = true
      unobserve()
      const left = asked && leave(asked)
      for (const message of waiting.splice(0)) settle(bus, message, 'nak')
      await Promise.allSettled([...inFlight, left])
      clearInterval(keeping)
    },
  }
}

async function receiveUntilStopped(
  state: { readonly stopped: boolean },
  receive: () => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> {
  while (!state.stopped) {
    await receive().catch((error: unknown) => {
      if (!state.stopped) onError(error)
    })
    if (!state.stopped) await new Promise((resolve) => setTimeout(resolve, pauseAfterErrorMs))
  }
}

/** Reports the consumer's waiting messages, by the only request about it that its user may send. */
function observeLag(bus: Bus, { stream, durable }: { stream: string; durable: string }): () => void {
  const labels = { stream, consumer: durable }
  return observeReading({
    name: 'consumer',
    read: async () => {
      const consumer = await bus.jetstream().consumers.get(stream, durable)
      const info = await consumer.info(true)
      return [
        ['financial_agents.stream.consumer.pending', info.num_pending, labels],
        ['financial_agents.stream.consumer.ack_pending', info.num_ack_pending, labels],
        ['financial_agents.stream.consumer.redelivered', info.num_redelivered, labels],
      ]
    },
  })
}

/**
 * Ends a request for messages. Messages that are already on their way still arrive and can be returned. After the
 * client's own `stop` they would reach nobody, and be missing until the server's acknowledgement time-out.
 */
async function leave(asked: ConsumerMessages): Promise<void> {
  // Draining the subscription makes the client end the request. The client has no public call for that.
  const { sub } = asked as ConsumerMessages & { sub?: Subscription }
  const late = AbortSignal.timeout(leavingMs)
  const gone = new Promise((resolve) => late.addEventListener('abort', resolve, { once: true }))
  await Promise.race([sub?.drain(), gone]).catch(() => {})
  asked.stop()
}

/** Sends nothing over a closed connection. The server then delivers the message again by itself. */
function settle(bus: Bus, message: JsMsg, as: 'ack' | 'nak' | 'term' | 'working', afterMs?: number): void {
  if (bus.connection.isClosed()) return
  if (as === 'nak') message.nak(afterMs)
  else message[as]()
}

async function handleBatch<Message>(bus: Bus, batch: JsMsg[], options: ConsumeOptions<Message>): Promise<void> {
  const readable: JsMsg[] = []
  const contents: Message[] = []
  for (const message of batch) {
    try {
      contents.push(message.json<Message>())
      readable.push(message)
    } catch (error) {
      settle(bus, message, 'term')
      options.onError(error)
    }
  }
  if (readable.length === 0) return
  try {
    await options.handle(contents)
    for (const message of readable) settle(bus, message, 'ack')
  } catch (error) {
    options.onError(error)
    const { maxDeliveries = Number.POSITIVE_INFINITY, retryAfterMs } = options
    for (const message of readable) {
      if (message.info.deliveryCount < maxDeliveries) settle(bus, message, 'nak', retryAfterMs)
      else settle(bus, message, 'ack')
    }
  }
}
