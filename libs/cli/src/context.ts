/** The surroundings of a command: the process's streams and environment. A test gives others. */

import type { CommandContext } from '@stricli/core'
import type { Stream } from './output/output.ts'

export type CliProcess = {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: Stream
  readonly stderr: Stream
  readonly env: Readonly<Record<string, string | undefined>>
  exitCode?: number | string | null
  once(signal: 'SIGINT', listener: () => void): unknown
}

export type CliContext = CommandContext & { readonly process: CliProcess }
