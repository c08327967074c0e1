/**
 * Makes a stream that refuses messages visible, or is not there: nobody waits for the broker, so it would be silent. One
 * message a second is published with a reply subject, and a refusal is logged; what was refused comes again from its row.
 */

import type { Log } from '@financial-agents/runtime/log'
import { counter, observe } from '@financial-agents/runtime/metrics/metrics'
import { NoResponders } from './errors.ts'
import { streamSubjects } from './streams.ts'

const everyMs = 1_000
const everyMsWhileRefused = 10_000
const timeoutMs = 5_000
/** A process that publishes no more cannot see that the stream takes messages again: what it saw last is soon old. */
const refusalTellsMs = 60_000

const refusals = counter('financial_agents.stream.refusals')

type Ask = (subject: string, data: string | Uint8Array, timeoutMs: number) => Promise<Uint8Array>
type Acknowledgement = { error?: { err_code?: number; description?: string } }

/** Asks the streams whether they take messages. */
export type StreamProbe = {
  /** Publishes it and looks at the answer, where one is due; false where it is for the caller to publish. */
  publish(subject: string, data: string | Uint8Array): boolean
  /** Tells no more of itself. */
  stop(): void
}

/** Starts the probe of a connection. */
export function createStreamProbe(ask: Ask, log: Log): StreamProbe {
  const due = new Map<string, number>()
  /** When it refused last. */
  const refused = new Map<string, number>()

  const isRefusing = (stream: string) => performance.now() - (refused.get(stream) ?? -refusalTellsMs) < refusalTellsMs

  const look = async (stream: string, subject: string, data: string | Uint8Array) => {
    const { error } = await ask(subject, data, timeoutMs).then(readAcknowledgement, refusalOf)
    if (error) {
      refused.set(stream, performance.now())
      refusals.add({ stream })
      due.set(stream, performance.now() + everyMsWhileRefused)
      log.error({ stream, err_code: error.err_code, reason: error.description }, 'the stream refuses messages')
    } else if (refused.delete(stream)) log.info({ stream }, 'the stream takes messages again')
  }
  return {
    stop: observe(() =>
      Array.from(due.keys(), (stream) => ['financial_agents.stream.refusing', isRefusing(stream) ? 1 : 0, { stream }]),
    ),
    publish: (subject, data) => {
      const stream = streamOf(subject)
      if (stream === undefined || (due.get(stream) ?? 0) > performance.now()) return false
      due.set(stream, performance.now() + everyMs)
      // No answer says nothing: the bus is away, and that is told otherwise.
      void look(stream, subject, data).catch((error: unknown) => {
        log.debug({ err: error, stream }, 'the stream did not answer')
      })
      return true
    },
  }
}

function readAcknowledgement(answer: Uint8Array): Acknowledgement {
  return JSON.parse(new TextDecoder().decode(answer)) as Acknowledgement
}

/** Where no stream has the subject nobody answers, and the server says so. @throws any other error */
function refusalOf(error: unknown): Acknowledgement {
  if (error instanceof NoResponders) return { error: { description: 'no responders: no stream has the subject' } }
  throw error
}

function streamOf(subject: string): string | undefined {
  for (const [stream, prefix] of streamSubjects) if (subject.startsWith(prefix)) return stream
  return undefined
}
