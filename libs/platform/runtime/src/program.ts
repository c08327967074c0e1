/**
 * The entry of every program: a table of commands, with `serve` as the default. A command's module is loaded only when
 * the command is called. `--help` and `--version` need no configuration. A wrong call prints one line with a remedy and
 * exits with 2; failed work prints one line and exits with 1.
 */

import { parseArgs } from 'node:util'
import { type Command, type CommandOptions, messageOf, UsageError } from './command.ts'
import type { Environment } from './config.ts'
import { armFailpoint } from './failpoint.ts'
import { version } from './version.ts'

/** Commands by name. Each module is loaded when its command is called. */
export type Commands = Readonly<Record<string, () => Promise<{ command: Command }>>>

/** A program and its commands. `serve` runs if no command is given. */
export type Program = {
  name: string
  /** One sentence. */
  summary: string
  commands: Commands & { readonly serve: () => Promise<{ command: Command }> }
}

const common = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const

export type Ended = { code: number; stdout: string; stderr: string }

/** Runs the command that the arguments name. Never throws: errors go to stderr and set the exit code. */
export function runProgram(program: Program, args: readonly string[] = process.argv.slice(2)): void {
  if (process.env['ENVIRONMENT'] !== 'production') armFailpoint(process.env['FAILPOINT'])
  void callProgram(program, args, process.env).then(finish)
}

/**
 * Runs a command of the repository's root, and ends the process when the command has ended. `prefix` stands before its
 * calls in its help: the package manager if absent. Never throws, as `runProgram`.
 */
export function runCommand(name: string, command: Command, prefix = 'npx -y pnpm@12'): void {
  void callCommand(name, command, process.argv.slice(2), prefix)
    .then(finish)
    .then(() => process.exit())
}

/** Calls a program as a process of its own would, in this process. Never throws. */
export function callProgram(program: Program, args: readonly string[], environment: Environment): Promise<Ended> {
  return ended(run(program, args, environment))
}

/** Calls a command of the repository's root in this process. Never throws. */
export function callCommand(
  name: string,
  command: Command,
  args: readonly string[],
  prefix = 'npx -y pnpm@12',
): Promise<Ended> {
  const takesArguments = command.takesArguments === true
  return ended(call({ name, program: name, prefix, takesArguments }, command, args, process.env))
}

async function ended(work: Promise<readonly string[]>): Promise<Ended> {
  try {
    const lines = await work
    return { code: 0, stdout: lines.map((line) => `${line}\n`).join(''), stderr: '' }
  } catch (error) {
    return { code: error instanceof UsageError ? 2 : 1, stdout: '', stderr: `${messageOf(error)}\n` }
  }
}

function finish({ code, stdout, stderr }: Ended): void {
  // One write for all lines: a reader such as `head` may close the pipe after the first.
  if (stdout !== '') process.stdout.write(stdout)
  if (stderr !== '') process.stderr.write(stderr)
  if (code !== 0) process.exitCode = code
}

async function run(program: Program, args: readonly string[], environment: Environment): Promise<readonly string[]> {
  const { name, commands } = program
  const [first = 'serve', ...rest] = args
  if (first === '--help' || first === '-h') return helpOf(program)
  if (first === '--version') return [`${name} ${version}`]
  const load = Object.hasOwn(commands, first) ? commands[first] : undefined
  if (!load) {
    if (first.startsWith('-')) throw new UsageError(`${name}: unknown option ${first}; it takes ${listOf(common)}`)
    throw new UsageError(`${name}: unknown command ${first}; it takes ${Object.keys(commands).join(', ')}`)
  }
  const { command } = await load()
  const called = first === 'serve' ? name : `${name} ${first}`
  const takesArguments = command.usage !== undefined
  return call({ name: called, program: name, prefix: name, takesArguments }, command, rest, environment)
}

/** The call of a command. The command's help puts `prefix` before each usage line. */
type Called = { name: string; program: string; prefix: string; takesArguments: boolean }

async function call(
  called: Called,
  command: Command,
  args: readonly string[],
  environment: Environment,
): Promise<readonly string[]> {
  const { name, program, prefix, takesArguments } = called
  try {
    const { positionals, values } = parse(command, args)
    if (values['help'] === true) return (await import('./program-help.ts')).helpOfCommand(name, prefix, command)
    if (values['version'] === true) return [`${program} ${version}`]
    if (positionals.length > 0 && !takesArguments)
      throw new UsageError(`unknown argument ${positionals[0]}; it takes ${listOf({ ...command.options, ...common })}`)
    return (await command.run({ positionals, values, environment })) ?? []
  } catch (error) {
    const line = `${name}: ${messageOf(error)}`
    throw error instanceof UsageError ? new UsageError(line) : new Error(line)
  }
}

function parse(command: Command, args: readonly string[]) {
  const options = { ...command.options, ...common }
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    const [sentence = ''] = messageOf(error).split('. ')
    const unknown = /^Unknown option '(.+)'/.exec(sentence)?.[1]
    throw new UsageError(unknown ? `unknown option ${unknown}; it takes ${listOf(options)}` : sentence)
  }
}

function listOf(options: CommandOptions): string {
  return Object.keys(options)
    .map((option) => `--${option}`)
    .join(', ')
}

async function helpOf(program: Program): Promise<string[]> {
  return (await import('./program-help.ts')).helpOfProgram(program)
}
