/**
 * A command of a program: its arguments, its environment variables, and its work. A command prints lines about what it
 * did, or one line about why it failed. It prints no causes and no values.
 */

import type { ParseArgsConfig, parseArgs } from 'node:util'
import type { z } from 'zod'
import type { Environment } from './config.ts'

/** The options of a command, as `parseArgs` of node:util takes them. */
export type CommandOptions = NonNullable<ParseArgsConfig['options']>

/** The arguments of one call of a command. */
export type CommandInput<Options extends CommandOptions> = {
  positionals: string[]
  values: ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>>['values']
  environment: Environment
}

/** Each module of a command exports one as `command`. */
export type Command<Options extends CommandOptions = CommandOptions> = {
  /** A few words about the command's purpose. */
  summary: string
  /**
   * The ways to call the command, with the meaning of each; printed in columns. By default the command takes no
   * arguments.
   */
  usage?: readonly (readonly [call: string, meaning: string])[]
  /** The options that `usage` does not explain, with the meaning of each. */
  optionMeanings?: readonly (readonly [option: string, meaning: string])[]
  /**
   * The environment variables of the command, for `--help`. The command itself reads them, once it knows its arguments.
   */
  config?: z.ZodObject
  /** The accepted options. Any other option is refused. */
  options?: Options
  /** A command of the repository's root takes arguments beside its options. */
  takesArguments?: boolean
  /** Does the work, and returns the lines to print. */
  run: (given: CommandInput<Options>) => Promise<readonly string[] | undefined>
}

/** Defines a command whose `run` receives options of the declared types. */
export function defineCommand<const Options extends CommandOptions>(command: Command<Options>): Command {
  return command
}

/** The command was called with arguments that it does not accept. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Returns the error's message on one line. An error about failed connections to several addresses has a code and no
 * message.
 */
export function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  return (message || code || 'failed').replaceAll('\n', '; ')
}

/** Formats rows as lines with aligned columns. */
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
