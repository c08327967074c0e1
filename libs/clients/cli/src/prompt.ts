/** Questions to a person at the terminal. They go to stderr, because stdout has only results. */

import { createInterface } from 'node:readline/promises'
import type { Cli } from './cli.ts'

/**
 * Asks, and returns the answer in lower case. Undefined if the input ends or Ctrl-C is pressed; this never counts as
 * yes.
 */
export async function ask(
  { process, signal, giveTime }: Pick<Cli, 'process' | 'signal' | 'giveTime'>,
  question: string,
): Promise<string | undefined> {
  const startedAtMs = Date.now()
  const lines = createInterface({ input: process.stdin, output: process.stderr as NodeJS.WritableStream })
  try {
    const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)))
    const answer = lines.question(question, { signal }).catch((error: unknown) => {
      if ((error as Error).name === 'AbortError') return undefined
      throw error
    })
    return (await Promise.race([answer, closed]))?.trim().toLowerCase()
  } finally {
    lines.close()
    giveTime(Date.now() - startedAtMs)
  }
}
