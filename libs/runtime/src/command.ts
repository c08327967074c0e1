/**
 * A command of a program: what it is called with, what it takes from the environment, and what it does. It says what it
 * did in lines, or in one line why it could not; causes and values are not printed.
 */

import type { ParseArgsConfig, parseArgs } from 'node:util'
import type { z } from 'zod'

/** The options of a command, as `parseArgs` of node:util takes them. */
export type CommandOptions = NonNullable<ParseArgsConfig['options']>

/** What a command was called with. */
export type Given<Options extends CommandOptions> = {
  positionals: string[]
  values: ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>>['values']
}

/** A command, exported as `command` by a module of its own. */
export type Command<Options extends CommandOptions = CommandOptions> = {
  /** What it does, in some words. */
  summary: string
  /** Ways to call the command, each with its effect. A command without them is called by its name alone. */
  usage?: readonly (readonly [call: string, meaning: string])[]
  /** Options that need more words than the ways to call the command give them, each with its meaning. */
  optionMeanings?: readonly (readonly [option: string, meaning: string])[]
  /** The variables that it takes, for `--help`; the command reads them itself, when it knows what it is asked to do. */
  config?: z.ZodObject
  /** Any other is refused. */
  options?: Options
  /** For a command of the repository's root: it takes arguments beside its options. */
  takesArguments?: boolean
  /** Answers what there is to print. */
  run: (given: Given<Options>) => Promise<readonly string[] | undefined>
}

/** A command whose options have the types that they were declared with. */
export function defineCommand<const Options extends CommandOptions>(command: Command<Options>): Command {
  return command
}

/** The command was called with something that it does not take. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** One line. The error of a connection that failed at several addresses has a code and no message of its own. */
export function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return (message || code || 'failed').replaceAll('\n', '; ')
}

/** Lines of columns as wide as they need to be. */
export function linesOf(rows: readonly (readonly string[])[]): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
