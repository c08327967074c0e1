/** A pause that a signal ends. */

import { setTimeout } from 'node:timers/promises'

/** Waits. @throws the signal's reason */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}
