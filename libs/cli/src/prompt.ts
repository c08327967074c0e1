/** Questions to a person at the terminal. They go to stderr: stdout has results alone. */

import { createInterface } from 'node:readline/promises'
import type { Cli } from './cli.ts'

/** Asks; returns the answer in lower case. The end of the input and Ctrl-C are no answer: undefined, which is never a yes. */
export async function ask(
  { process, signal }: Pick<Cli, 'process' | 'signal'>,
  question: string,
): Promise<string | undefined> {
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
  }
}
