/**
 * The frame of every command: it makes the parts that the command works with, reports failures, and sets the exit code.
 */

import { buildCommand, type Command, type TypedCommandParameters } from '@stricli/core'
import { type Cli, createCli } from './cli.ts'
import type { CliContext } from './context.ts'
import { exitCodes } from './exit-codes.ts'
import { failureJson, failureOf, failureText } from './failure.ts'
import type { CommonFlags } from './flags.ts'
import { paintFor } from './output/paint.ts'

type Definition<Flags extends CommonFlags, Args extends readonly unknown[]> = {
  docs: { brief: string; fullDescription?: string; customUsage?: readonly string[] }
  parameters: NoInfer<TypedCommandParameters<Flags, Args, CliContext>>
  run: (cli: Cli, flags: Flags, ...args: Args) => Promise<void>
}

export function command<const Flags extends CommonFlags, const Args extends readonly unknown[]>({
  docs,
  parameters,
  run,
}: Definition<Flags, Args>): Command<CliContext> {
  return buildCommand<Flags, Args, CliContext>({
    docs: docs.fullDescription === undefined ? docs : { ...docs, fullDescription: wrapped(docs.fullDescription) },
    parameters,
    async func(flags, ...args) {
      const { process } = this
      try {
        const cli = createCli(process, flags)
        await run(cli, flags, ...args)
        const lost = await cli.output.lost()
        // A reader such as `head` has enough. The outcome of a write stays the exit code, whatever happens to the output.
        if (lost !== undefined && lost !== 'EPIPE') process.exitCode ??= exitCodes.failed
      } catch (error) {
        const failure = failureOf(error)
        const isText = flags.json !== true && flags.jsonl !== true
        const label = paintFor(process.stderr, process.env).bad('error')
        process.stderr.write(`${isText ? `${label}: ${failureText(failure)}` : failureJson(failure)}\n`)
        process.exitCode = exitCodes[failure.ending]
      }
    },
  })
}

/** Breaks long lines at blanks. Lines that are short stay as they are. */
function wrapped(text: string, width = 100): string {
  return text.replace(new RegExp(`(?![^\\n]{1,${width}}$)([^\\n]{1,${width}})\\s`, 'gm'), '$1\n')
}
