// Waits for a server that was just started. The check is repeated until it succeeds or a time-out ends the wait. The
// wait ends at once if the server's process ends; the error then quotes the process's last output in one line.

import { setTimeout as delay } from 'node:timers/promises'
import { type Child, describeExit, saidLast } from './child-process.ts'

const ASK_AGAIN_MS = 20

export type ReadinessOptions<Answer> = {
  name: string
  /** Checks the server once; throws while it is not ready. */
  ask: () => Promise<Answer>
  /** The server's process, if it is our own. */
  child?: Child | undefined
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/**
 * Waits until `ask` succeeds.
 * @throws Error in one line if the process ends or the time-out ends; the abort reason if aborted.
 */
export async function waitUntilReady<Answer>(options: ReadinessOptions<Answer>): Promise<Answer> {
  const { name, ask, child, timeoutMs, signal } = options
  const endsAt = performance.now() + timeoutMs
  while (true) {
    signal?.throwIfAborted()
    // Another program may listen on our port, and our own server then fails to start. An answer counts only while our
    // process runs.
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
