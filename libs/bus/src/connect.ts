/**
 * The connection to NATS. All requests share one subscription, and all data that is written in one turn of the event
 * loop is sent in one write. Most of the cost of a small request is wake-ups, not bytes.
 *
 * Invariant: a failed request tells the caller if it was certainly not received (NoResponders) or may have been
 * (TimedOut).
 */

import { randomBytes } from 'node:crypto'
import type { Log } from '@financial-agents/runtime/log'
import { observe } from '@financial-agents/runtime/metrics/metrics'
import {
  connect as connectNats,
  DebugEvents,
  type JetStreamClient,
  type Msg,
  type NatsConnection,
  nkeyAuthenticator,
  type Subscription,
} from 'nats'
import { NoResponders, TimedOut } from './errors.ts'
import { decodeHeaders, encodeHeaders, type MessageContext } from './headers.ts'
import { createStreamProbe } from './stream-probe.ts'

/** The options of a connection. */
export type BusOptions = {
  /** The values of `busConfig` of runtime/config: comma-separated addresses, and the seed of the service's NKEY. */
  config: { NATS_URL: string; NATS_NKEY_SEED: string; NATS_CA_FILE?: string | undefined }
  /** The user's name. It is also the prefix of the user's inboxes, `_INBOX.<name>`. */
  name: string
  /**
   * Logs connection states, messages that could not be sent, and streams that refuse messages. Contents are never
   * logged.
   */
  log: Log
  /** If false, fails at once when no server accepts the connection. By default, waits for a server without limit. */
  waits?: boolean
  /**
   * Called when the connection is closed for good: the client gives up if the server no longer knows its user. By
   * default the error is an unhandled rejection, which ends the process. A restart then tries again, instead of waiting
   * for ever.
   */
  onLost?: (error: Error) => void
}

/** Answers one message. An exception is a bug: it is passed to `onError` and never sent. */
export type RawHandler = (data: Uint8Array, context: MessageContext) => Promise<Uint8Array | string>

/** One connection, with requests, answers and messages. */
export type Bus = {
  name: string
  /**
   * Sends one request, and returns its answer.
   * @throws NoResponders if it was not received; TimedOut if it may have been; Error if it is too large to send
   */
  request(
    subject: string,
    data: string | Uint8Array,
    context: MessageContext,
    /** The longest wait for the answer, if it differs from the deadline that `context` tells the other side. */
    waitMs?: number,
  ): Promise<Uint8Array>
  /**
   * Answers `subject` as a member of the queue group `queue`. At most `maxInFlight` messages are handled at once;
   * further requests get the answer `busy`.
   */
  respond(subject: string, queue: string | null, options: RespondOptions): void
  /**
   * Publishes without waiting (core NATS, or into the stream that captures the subject). Messages that cannot be sent
   * and streams that refuse messages are logged.
   */
  publish(subject: string, data: string | Uint8Array): void
  /** Calls `listener` for every message on `subject`. */
  hear(subject: string, listener: (data: Uint8Array, subject: string) => void): void
  /** Calls `listener` at every change of the connection's state (`disconnect`, `reconnect`, …). */
  watch(listener: (status: string) => void): void
  jetstream(): JetStreamClient
  connection: NatsConnection
  /** Resolves when the server has answered a ping. */
  check(): Promise<void>
  /** True if the server answers a ping now. Messages published without a server would pile up in memory. */
  answers(): Promise<boolean>
  /** Stops answering, waits for the requests in flight, then closes. */
  drain(): Promise<void>
}

/** The handler of a subject, and its limits. */
export type RespondOptions = {
  handler: RawHandler
  maxInFlight: number
  busy: string
  /** The reply that replaces a reply that is too large to send. */
  unsendable?: string
  onError: (error: unknown) => void
}

type Pending = { resolve: (data: Uint8Array) => void; reject: (error: Error) => void; timer: NodeJS.Timeout }

const pingMs = 1_000

/** Connects, and reconnects to lost servers while the process runs. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const inbox = `_INBOX.${options.name}`
  const connection = await connectNats({
    servers: options.config.NATS_URL.split(','),
    name: options.name,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(options.config.NATS_NKEY_SEED)),
    inboxPrefix: inbox,
    noAsyncTraces: true,
    maxReconnectAttempts: -1,
    ...tlsOf(options.config),
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    pingInterval: 10_000,
    waitOnFirstConnect: options.waits ?? true,
    timeout: 5_000,
  })
  const { log, onLost = rethrow } = options
  watch(connection, (status) => log.info({ status }, 'bus'))
  void connection.closed().then((cause) => {
    if (cause) onLost(new Error('the connection to NATS is closed for good', { cause }))
  })
  const unobserve = observeConnection(connection)
  const write = createWriter(connection)
  const mux = createMux(connection, `${inbox}.${randomBytes(9).toString('hex')}`, write, (error) =>
    log.error({ err: error }, 'no reply will arrive'),
  )
  const ask: Parameters<typeof createStreamProbe>[0] = (subject, data, timeoutMs) =>
    mux.request(subject, data, undefined, timeoutMs)
  const probe = createStreamProbe(ask, log)
  const responders: Subscription[] = []
  const inFlight = new Set<Promise<void>>()
  return {
    name: options.name,
    connection,
    request: (subject, data, context, waitMs = context.timeoutMs) => mux.request(subject, data, context, waitMs),
    respond: (subject, queue, respond) => {
      responders.push(startResponder(connection, subject, queue, respond, inFlight, write))
    },
    publish: (subject, data) => {
      if (probe.publish(subject, data)) return
      write({ subject, data, onUnsendable: (error) => log.error({ err: error, subject }, 'a message cannot be sent') })
    },
    hear: (subject, listener) => {
      connection.subscribe(subject, {
        callback: (error, message) => {
          if (!error) listener(message.data, message.subject)
        },
      })
    },
    watch: (listener) => watch(connection, listener),
    jetstream: () => connection.jetstream(),
    check: () => connection.flush(),
    answers: () => answersWithin(connection, pingMs),
    drain: async () => {
      await Promise.all(responders.map((subscription) => subscription.drain()))
      await Promise.allSettled(inFlight)
      await new Promise(setImmediate)
      await connection.drain()
      unobserve()
      probe.stop()
    },
  }
}

function observeConnection(connection: NatsConnection): () => void {
  let connected = 1
  watch(connection, (status) => {
    if (status === 'disconnect' || status === 'reconnect') connected = status === 'reconnect' ? 1 : 0
  })
  return observe(() => [['financial_agents.bus.connected', connected, {}]])
}

/**
 * If TLS is configured, the connection always uses TLS, even if the server, or somebody in between, offers plain text.
 */
function tlsOf({ NATS_URL, NATS_CA_FILE: caFile }: BusOptions['config']) {
  const asked = caFile !== undefined || NATS_URL.split(',').some((address) => address.trim().startsWith('tls://'))
  return asked ? { tls: caFile === undefined ? {} : { caFile } } : {}
}

function rethrow(error: Error): never {
  throw error
}

async function answersWithin(connection: NatsConnection, limitMs: number): Promise<boolean> {
  const silent = Promise.withResolvers<boolean>()
  const timer = setTimeout(silent.resolve, limitMs, false)
  const answered = connection.flush().then(
    () => true,
    () => false,
  )
  return Promise.race([answered, silent.promise]).finally(() => clearTimeout(timer))
}

type Outgoing = {
  subject: string
  data: string | Uint8Array
  reply?: string
  context?: MessageContext | undefined
  /** Called if the message exceeds the server's limit or the connection is closing. */
  onUnsendable: (error: Error) => void
}
type Write = (outgoing: Outgoing) => void

/** Collects the messages of one turn of the event loop. The client then flushes them in one write. */
function createWriter(connection: NatsConnection): Write {
  let waiting: Outgoing[] = []
  const send = ({ subject, data, reply, context }: Outgoing) =>
    connection.publish(subject, data, {
      ...(reply === undefined ? {} : { reply }),
      ...(context === undefined ? {} : { headers: encodeHeaders(context) }),
    })
  const flush = () => {
    const batch = waiting
    waiting = []
    if (connection.isClosed()) return
    for (const outgoing of batch) {
      try {
        send(outgoing)
      } catch (error) {
        outgoing.onUnsendable(error as Error)
      }
    }
  }
  return (outgoing) => {
    if (waiting.length === 0) setImmediate(flush)
    waiting.push(outgoing)
  }
}

function createMux(connection: NatsConnection, prefix: string, write: Write, onRefused: (error: Error) => void) {
  const pending = new Map<string, Pending>()
  let counter = 0
  connection.subscribe(`${prefix}.*`, {
    callback: (error, message) => {
      // The server refused the subscription because the key belongs to another user. There is no message in this case.
      if (error) return onRefused(error)
      const token = message.subject.slice(prefix.length + 1)
      const entry = pending.get(token)
      if (!entry) return
      pending.delete(token)
      clearTimeout(entry.timer)
      if (isNoResponders(message)) entry.reject(new NoResponders())
      else entry.resolve(message.data)
    },
  })
  const request = (
    subject: string,
    data: string | Uint8Array,
    context: MessageContext | undefined,
    timeoutMs: number,
  ) =>
    new Promise<Uint8Array>((resolve, reject) => {
      counter += 1
      const token = counter.toString(36)
      const timer = setTimeout(() => {
        pending.delete(token)
        reject(new TimedOut(subject))
      }, timeoutMs)
      pending.set(token, { resolve, reject, timer })
      const onUnsendable = (error: Error) => {
        pending.delete(token)
        clearTimeout(timer)
        reject(error)
      }
      write({ subject, data, reply: `${prefix}.${token}`, context, onUnsendable })
    })
  return { request }
}

function isNoResponders(message: Msg): boolean {
  return message.data.length === 0 && message.headers?.code === 503
}

/**
 * True for subjects to which replies may be sent: inboxes, and `_R_`, the server's own subjects across accounts. A
 * requester may name any reply subject. A reply to another subject would let the requester publish with the responder's
 * rights, even into a stream.
 */
function isReplySubject(reply: string | undefined): boolean {
  return reply === undefined || reply === '' || reply.startsWith('_INBOX.') || reply.startsWith('_R_.')
}

function startResponder(
  connection: NatsConnection,
  subject: string,
  queue: string | null,
  options: RespondOptions,
  inFlight: Set<Promise<void>>,
  write: Write,
): Subscription {
  let running = 0
  const answer = (to: string, data: string | Uint8Array) =>
    write({
      subject: to,
      data,
      onUnsendable: (error) => {
        options.onError(error)
        if (options.unsendable !== undefined)
          write({ subject: to, data: options.unsendable, onUnsendable: options.onError })
      },
    })
  return connection.subscribe(subject, {
    ...(queue === null ? {} : { queue }),
    callback: (error, message) => {
      if (error) return options.onError(error)
      if (!isReplySubject(message.reply)) return options.onError(new Error('a request named a foreign reply subject'))
      if (running >= options.maxInFlight) {
        if (message.reply) answer(message.reply, options.busy)
        return
      }
      running += 1
      const answered: Promise<void> = options
        .handler(message.data, decodeHeaders(message))
        .then((reply) => {
          if (message.reply) answer(message.reply, reply)
        })
        .catch(options.onError)
        .finally(() => {
          running -= 1
          inFlight.delete(answered)
        })
      inFlight.add(answered)
    },
  })
}

function watch(connection: NatsConnection, onStatus: (status: string) => void): void {
  void (async () => {
    for await (const status of connection.status()) if (status.type !== DebugEvents.PingTimer) onStatus(status.type)
  })()
}
