/**
 * Detects streams that refuse messages or do not exist. Senders do not wait for the broker, so refusals would otherwise
 * be silent. For each stream, one message a second is published with a reply subject, and a refusal is logged. While a
 * stream refuses, it is one message in ten seconds. A refused message is published again from its row.
 */

import type { Log } from '@financial-agents/runtime/log'
import { counter, observe } from '@financial-agents/runtime/metrics/metrics'
import { NoResponders } from './errors.ts'
import { streamSubjects } from './streams.ts'

const everyMs = 1_000
const everyMsWhileRefused = 10_000
const timeoutMs = 5_000
/**
 * A process that stops publishing cannot notice that the stream accepts messages again, so an old refusal no longer
 * counts.
 */
const refusalTellsMs = 60_000

const refusals = counter('financial_agents.stream.refusals')

type Ask = (subject: string, data: string | Uint8Array, timeoutMs: number) => Promise<Uint8Array>
type Acknowledgement = { error?: { err_code?: number; description?: string } }

/** Detects if the streams accept messages. */
export type StreamProbe = {
  /**
   * If a probe is due, publishes the message, checks the answer, and returns true. Otherwise returns false, and the
   * caller publishes the message.
   */
  publish(subject: string, data: string | Uint8Array): boolean
  /** Stops reporting to the metrics. */
  stop(): void
}

export function createStreamProbe(ask: Ask, log: Log): StreamProbe {
  const due = new Map<string, number>()
  /** The time of the last refusal, by stream. */
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
      // A missing answer does not mean a refusal. The bus is out of reach, which is reported elsewhere.
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

/** If no stream has the subject, the server reports that nobody listens. @throws any other error */
function refusalOf(error: unknown): Acknowledgement {
  if (error instanceof NoResponders) return { error: { description: 'no responders: no stream has the subject' } }
  throw error
}

function streamOf(subject: string): string | undefined {
  for (const [stream, prefix] of streamSubjects) if (subject.startsWith(prefix)) return stream
  return undefined
}
