// Waiting for a server that was just started: asks again until it answers, bounded in time, and gives up at once when its
// process ends, saying in one line what the process said last.

import { setTimeout as delay } from 'node:timers/promises'
import { type Child, describeExit, saidLast } from './child-process.ts'

const ASK_AGAIN_MS = 20

/** How long a server is waited for. */
export type ReadinessOptions<Answer> = {
  name: string
  /** Asks the server once; throws while it is not ready. */
  ask: () => Promise<Answer>
  /** The server's process, where it is ours. */
  child?: Child | undefined
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/**
 * Waits until `ask` succeeds.
 * @throws Error in one line when the process ends or the time is over; the abort reason when aborted.
 */
export async function waitUntilReady<Answer>(options: ReadinessOptions<Answer>): Promise<Answer> {
  const { name, ask, child, timeoutMs, signal } = options
  const endsAt = performance.now() + timeoutMs
  while (true) {
    signal?.throwIfAborted()
    // A stranger may listen on our port while our own server dies of it: an answer counts only while our process lives.
    const answer = await ask().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    if (child !== undefined && !child.isRunning()) {
      const status = await child.exited
      throw new Error(`${name} stopped while starting (${describeExit(status)})${saidLast(child)}`)
    }
    if ('value' in answer) return answer.value
    if (performance.now() > endsAt) {
      const reason = answer.error instanceof Error ? answer.error.message : String(answer.error)
      throw new Error(
        `${name} did not answer within ${Math.round(timeoutMs / 1000)} s: ${reason.replaceAll('\n', ' ')}`,
      )
    }
    await delay(ASK_AGAIN_MS)
  }
}
