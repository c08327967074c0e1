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
import { connect as connectNats, DebugEvents, type JetStreamClient, type NatsConnection, type Subscription } from 'nats'
import { createAnswerBatches } from './answer-batches.ts'
import { serviceOfRoute } from './batch-subjects.ts'
import type { MessageContext } from './headers.ts'
import { createInbox } from './inbox.ts'
import { nkeyAuthenticatorOf } from './nkey.ts'
import { openRegisters, type Registers } from './registers.ts'
import { createRequests } from './requests.ts'
import { createTake, type RespondOptions, subscribeTo } from './respond.ts'
import { createStreamProbe } from './stream-probe.ts'
import { createWriter } from './writer.ts'

export type { RawHandler, RespondOptions } from './respond.ts'

export type BusOptions = {
  /** The values of `busConfig` of runtime/config: comma-separated addresses, and the seed of the service's NKEY. */
  config: {
    NATS_URL: string
    NATS_NKEY_SEED: string
    NATS_CA_FILE?: string | undefined
    NATS_REQUEST_GRACE_MS?: number
  }
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
  hear(subject: string, listener: (data: Uint8Array, subject: string) => void): void
  /** Calls `listener` at every change of the connection's state (`disconnect`, `reconnect`, …). */
  watch(listener: (status: string) => void): void
  jetstream(): JetStreamClient
  /** The registers of the witness. */
  registers: Registers
  connection: NatsConnection
  /** Resolves when the server has answered a ping, so that everything published before has arrived there. */
  check(): Promise<void>
  /** Like `check`, but false if no answer comes soon. Messages published without a server would pile up in memory. */
  answers(): Promise<boolean>
  /** Stops answering, waits for the requests in flight, then closes. */
  drain(): Promise<void>
}

const pingMs = 1_000

/** Connects, and reconnects to lost servers while the process runs. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const inboxPrefix = `_INBOX.${options.name}`
  const connection = await openConnection(options, inboxPrefix)
  const { log, onLost = rethrow } = options
  const { NATS_REQUEST_GRACE_MS: graceMs = 0 } = options.config
  watch(connection, (status) => log.info({ status }, 'bus'))
  void connection.closed().then((cause) => {
    if (cause) onLost(new Error('the connection to NATS is closed for good', { cause }))
  })
  const unobserve = observeConnection(connection)
  const writer = createWriter(connection)
  const onError = (error: unknown) => log.error({ err: error }, 'no reply will arrive')
  const inbox = createInbox(connection, `${inboxPrefix}.${randomBytes(9).toString('hex')}`, onError)
  const request = createRequests({ inbox, writer, onError })
  const ask: Parameters<typeof createStreamProbe>[0] = (subject, data, timeoutMs) =>
    request(subject, data, undefined, timeoutMs)
  const probe = createStreamProbe(ask, log)
  const subscriptions: Subscription[] = []
  const inFlight = new Set<Promise<void>>()
  const batches = createAnswerBatches({ connection, service: options.name, writer })
  return {
    name: options.name,
    connection,
    request: (subject, data, context, waitMs = context.timeoutMs) => request(subject, data, context, waitMs + graceMs),
    respond: (subject, queue, respond) => {
      const take = createTake(respond, inFlight)
      subscriptions.push(subscribeTo(subject, { connection, writer, queue, take, options: respond }))
      if (queue === options.name && serviceOfRoute(subject) === queue)
        batches.serve(subject, { take, options: respond })
    },
    publish: (subject, data) => {
      if (probe.publish(subject, data)) return
      writer.write({
        subject,
        data,
        onUnsendable: (error) => log.error({ err: error, subject }, 'a message cannot be sent'),
      })
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
    registers: openRegisters(connection),
    check: () => flush(connection),
    answers: () => answersWithin(connection, pingMs + graceMs),
    drain: async () => {
      await Promise.all([batches.stop(), ...subscriptions.map((subscription) => subscription.drain())])
      await Promise.allSettled(inFlight)
      await new Promise(setImmediate)
      await batches.collected()
      await connection.drain()
      unobserve()
      probe.stop()
    },
  }
}

function openConnection(options: BusOptions, inboxPrefix: string): Promise<NatsConnection> {
  return connectNats({
    servers: options.config.NATS_URL.split(','),
    name: options.name,
    authenticator: nkeyAuthenticatorOf(options.config.NATS_NKEY_SEED),
    inboxPrefix,
    noAsyncTraces: true,
    maxReconnectAttempts: -1,
    ...tlsOf(options.config),
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    pingInterval: 10_000,
    waitOnFirstConnect: options.waits ?? true,
    timeout: 5_000,
  })
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

/** Published messages leave at the end of this turn of the event loop, so the ping leaves in the next. */
async function flush(connection: NatsConnection): Promise<void> {
  await new Promise(setImmediate)
  await connection.flush()
}

async function answersWithin(connection: NatsConnection, limitMs: number): Promise<boolean> {
  const silent = Promise.withResolvers<boolean>()
  // After a standstill of the process, an answer may have arrived that is not read yet.
  const timer = setTimeout(() => setImmediate(silent.resolve, false), limitMs)
  const answered = flush(connection).then(
    () => true,
    () => false,
  )
  return Promise.race([answered, silent.promise]).finally(() => clearTimeout(timer))
}

function watch(connection: NatsConnection, onStatus: (status: string) => void): void {
  void (async () => {
    for await (const status of connection.status()) if (status.type !== DebugEvents.PingTimer) onStatus(status.type)
  })()
}
