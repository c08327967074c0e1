/**
 * A durable pull consumer that hands over whatever arrived together and asks for no more than it has room for: what a
 * busy process does not take stays free for another. It survives a lost server and a wiped store: it asks again until
 * its durable is there.
 *
 * Invariant: a message is acknowledged only when its handler has resolved, or when it came in vain so often that it is
 * left to its sender's sweep. While it is held here, it is kept from being delivered again.
 */

import { observeReading } from '@financial-agents/runtime/metrics/metrics'
import type { ConsumerMessages, JsMsg, Subscription } from 'nats'
import type { Bus } from './connect.ts'

/** What a consumer reads and how it handles it. */
export type ConsumeOptions<Message> = {
  stream: string
  durable: string
  /** Messages handed over at once; batches under way at once. Together they are the room. */
  maxMessages: number
  concurrency: number
  /** Where there is less room than that: resolves, once there is any, to how many messages more may come. */
  room?: () => Promise<number>
  /** Throwing brings the messages back after `retryAfterMs`. */
  handle: (messages: Message[]) => Promise<void>
  retryAfterMs: number
  /** After so many deliveries in vain a message is given up; its sender's sweep sends what still matters. */
  maxDeliveries?: number
  onError: (error: unknown) => void
}

/** `stop`: nothing more is taken, what was not begun goes back at once, and what is under way ends. */
export type Consuming = { stop(): Promise<void> }

/** How long one request for messages stays open. */
const expiresMs = 5_000
/** Well under the time after which the server delivers again. */
const workingMs = 10_000
const pauseAfterErrorMs = 500
/** How long a server may take to confirm that it sends nothing more. */
const leavingMs = 1_000

/** Starts consuming; every message is JSON. A message that is not is refused for good and reported. */
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

/** What waits for the consumer, by the one question about it that its user may ask. */
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
 * Ends a request for messages so that those already on their way still come, and can be given back: after the client's own
 * `stop` they would arrive for nobody, and be missing until the server's patience with an acknowledgement ends.
 */
async function leave(asked: ConsumerMessages): Promise<void> {
  // The client ends the request by itself once its subscription is drained; it has no public call for that.
  const { sub } = asked as ConsumerMessages & { sub?: Subscription }
  const late = AbortSignal.timeout(leavingMs)
  const gone = new Promise((resolve) => late.addEventListener('abort', resolve, { once: true }))
  await Promise.race([sub?.drain(), gone]).catch(() => {})
  asked.stop()
}

/** Nothing can be said over a connection that is closed; the server then delivers again by itself. */
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
