/** The surroundings of a command: streams and environment. `main.ts` gives those of the process, a test gives others. */

import type { CommandContext } from '@stricli/core'
import type { Stream } from './output/output.ts'

export type Surroundings = {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: Stream
  readonly stderr: Stream
  readonly env: Readonly<Record<string, string | undefined>>
  /** The time for which requests are repeated; 20 s if absent. */
  readonly retryForMs?: number
  exit(): never
  once(signal: 'SIGINT', listener: () => void): unknown
}

/** The surroundings of a command: it reads, prints and sets the exit code through them. */
export type CliProcess = Surroundings & { exitCode?: number | string | null }

export type CliContext = CommandContext & { readonly process: CliProcess }
