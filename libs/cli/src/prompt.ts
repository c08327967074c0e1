/** Questions to a person at the terminal. They go to stderr: stdout has results alone. */

import { createInterface } from 'node:readline/promises'
import type { Cli } from './cli.ts'

/** Asks; returns the answer in lower case. The end of the input and Ctrl-C answer nothing. */
export async function ask({ process, signal }: Pick<Cli, 'process' | 'signal'>, question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr as NodeJS.WritableStream })
  try {
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    return (await Promise.race([lines.question(question, { signal }), closed])).trim().toLowerCase()
  } finally {
    lines.close()
  }
}
