/**
 * The connection to NATS. Requests share one subscription, and everything written in one turn of the event loop leaves
 * in one write: most of what a small request costs is the wake-ups, not the bytes.
 *
 * Invariant: a caller learns whether its request was surely not received (NoResponders) or may have been (TimedOut).
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

/** How a service connects. */
export type BusOptions = {
  /** Addresses, comma-separated, and the seed of the service's own NKEY: `busConfig` of runtime/config. */
  config: { NATS_URL: string; NATS_NKEY_SEED: string; NATS_CA_FILE?: string | undefined }
  /** The user's name: also its inbox prefix, `_INBOX.<name>`. */
  name: string
  /** Hears of the connection's states, of what could not be sent and of streams that refuse: never of contents. */
  log: Log
  /** False: fails where no server lets it in at once. Otherwise it waits for one, without end. */
  waits?: boolean
  /**
   * Hears that the connection is closed for good: the client gives up where the server knows its user no more. Unless somebody
   * listens it is an unhandled rejection, which ends a service, so that it starts anew instead of waiting for ever.
   */
  onLost?: (error: Error) => void
}

/** Answers one message; what it throws is a bug and reaches `onError` of the caller's wrapper, never the wire. */
export type RawHandler = (data: Uint8Array, context: MessageContext) => Promise<Uint8Array | string>

/** One connection: requests, answers, messages. */
export type Bus = {
  name: string
  /**
   * One request.
   * @throws NoResponders it was not received; TimedOut it may have been; Error it cannot be sent, being too large
   */
  request(
    subject: string,
    data: string | Uint8Array,
    context: MessageContext,
    /** For how long the answer is waited for, where that is not the deadline that `context` tells the other side. */
    waitMs?: number,
  ): Promise<Uint8Array>
  /** Answers `subject` as one of the queue group `queue`; at most `maxInFlight` at once, the rest get `busy`. */
  respond(subject: string, queue: string | null, options: RespondOptions): void
  /**
   * Sends and forgets (core NATS, or into the stream that captures the subject). What cannot be sent is logged, and so
   * is a stream that refuses messages.
   */
  publish(subject: string, data: string | Uint8Array): void
  /** Hears every message on `subject`. */
  hear(subject: string, listener: (data: Uint8Array, subject: string) => void): void
  /** Tells every change of the connection's state (`disconnect`, `reconnect`, …). */
  watch(listener: (status: string) => void): void
  jetstream(): JetStreamClient
  connection: NatsConnection
  /** Resolves when the server has answered a ping. */
  check(): Promise<void>
  /** Whether the server answers a ping now: what is published while it does not would pile up in memory. */
  answers(): Promise<boolean>
  /** Stops answering, waits for what is in flight, then closes. */
  drain(): Promise<void>
}

/** How a subject is answered. */
export type RespondOptions = {
  handler: RawHandler
  maxInFlight: number
  busy: string
  /** The reply in place of one that cannot be sent, being too large. */
  unsendable?: string
  onError: (error: unknown) => void
}

type Pending = { resolve: (data: Uint8Array) => void; reject: (error: Error) => void; timer: NodeJS.Timeout }

const pingMs = 1_000

/** Connects and keeps connected: lost servers are tried again for as long as the process runs. */
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

/** Asked for, it is TLS that is spoken, also where the server would do without or somebody between says that it would. */
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
  /** Larger than the server takes, or the connection is closing. */
  onUnsendable: (error: Error) => void
}
type Write = (outgoing: Outgoing) => void

/** Gathers what is published in one turn of the event loop; the client then flushes it in one write. */
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
      // The server refused the subscription: the key is another user's. No message comes with it.
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
 * A requester may name any subject for its reply, and a responder may publish to more than inboxes: answered there, the
 * requester would have published in its name, into a stream too. `_R_` is the server's, across accounts.
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
