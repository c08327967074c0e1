/**
 * Changes of operations, found by polling. The API's deliveries need a public HTTPS address; this needs none. An operation that moves
 * twice between two polls is notified once, in its newest state: as with deliveries, a receiver reads the operation.
 */

import { setTimeout } from 'node:timers/promises'
import type { Agent, Operation } from '@financial-agents/client'

/** @throws the signal's reason */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** Yields each operation that has changed since the first poll. `ready` is called after that poll. */
export async function* changes(
  agent: Agent,
  { pauseMs, signal, ready }: { pauseMs: number; signal: AbortSignal; ready: () => void },
): AsyncIterable<Operation> {
  const seen = new Map<string, string>()
  for (let isFirst = true; ; isFirst = false) {
    const { items } = await agent.operations.list({ limit: 100 }, { signal })
    for (const operation of items.toReversed()) {
      const { id, state } = operation
      const before = seen.get(id)
      seen.set(id, state)
      // A new operation in the state `accepted` is not yielded: the answer to the write has shown that state.
      if (!isFirst && before !== state && (before !== undefined || state !== 'accepted')) yield operation
    }
    if (isFirst) ready()
    await sleep(pauseMs, signal)
  }
}
