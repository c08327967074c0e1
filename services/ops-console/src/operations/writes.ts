/**
 * If operations and the submitter write, for the banner of every page. Asked at most once in a few seconds, with a short wait, so that
 * a page does without an answer that does not come.
 */

import { ask } from '@financial-agents/bus/ask'
import type { Bus } from '@financial-agents/bus/connect'
import type { MessageContext } from '@financial-agents/bus/headers'
import type { LostOperations, WitnessReport } from '@financial-agents/bus/messages/witness'
import type { Clock } from '@financial-agents/runtime/clock'
import { createExpiringCache } from '@financial-agents/runtime/expiring-cache'
import type { Log } from '@financial-agents/runtime/log'

const keptMs = 5_000
const waitMs = 1_000

/** `unknown`: the service did not answer. */
type Known<Answer> = Answer | 'unknown'

export type Writes = {
  operations: Known<WitnessReport>
  submitter: Known<WitnessReport>
  /** Asked only if a service is closed. Null: no loss is found. */
  lost: Known<LostOperations | null>
}

export type ReadWrites = (context: MessageContext) => Promise<Writes>

export function createReadWrites({ bus, clock, log }: { bus: Bus; clock: Clock; log: Log }): ReadWrites {
  const cache = createExpiringCache<Writes>({ clock, ttlMs: keptMs, maxEntries: 1 })
  const answerOf = async <Answer>(answer: Promise<Answer>): Promise<Known<Answer>> => {
    try {
      return await answer
    } catch (error) {
      log.warn({ err: error }, 'it is not known if writes are open')
      return 'unknown'
    }
  }
  const read = async (context: MessageContext): Promise<Writes> => {
    const [operations, submitter] = await Promise.all([
      answerOf(ask(bus, 'int.operations.witness', null, context, waitMs)),
      answerOf(ask(bus, 'int.submitter.witness', null, context, waitMs)),
    ])
    const isClosed = [operations, submitter].some((answer) => answer !== null && answer !== 'unknown')
    const lost = isClosed ? await answerOf(ask(bus, 'int.operations.lost', null, context, waitMs)) : null
    return { operations, submitter, lost }
  }
  return (context) => cache.get('writes', () => read(context))
}
