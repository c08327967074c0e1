/**
 * The entry of every program: a table of commands, with `serve` as the default. A command's module is loaded only when
 * the command is called. `--help` and `--version` need no configuration. A wrong call prints one line with a remedy and
 * exits with 2; failed work prints one line and exits with 1.
 */

import { parseArgs } from 'node:util'
import { type Command, messageOf, UsageError } from './command.ts'
import { version } from './version.ts'

/** A program and its commands. `serve` runs if no command is given. */
export type Program = {
  name: string
  /** The program's purpose, in one sentence. */
  summary: string
  commands: Readonly<Record<string, () => Promise<{ command: Command }>>> & {
    readonly serve: () => Promise<{ command: Command }>
  }
}

const common = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const

/** Runs the command that this process's command line names. Never throws: errors go to stderr and set the exit code. */
export function runProgram(program: Program): void {
  finish(run(program, process.argv.slice(2)))
}

/** Runs a program that has one command and is called by its name alone. */
export function runCommand(name: string, command: Command): void {
  finish(call({ name, program: name }, command, process.argv.slice(2)))
}

function finish(work: Promise<void>): void {
  work.catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exitCode = error instanceof UsageError ? 2 : 1
  })
}

async function run(program: Program, args: readonly string[]): Promise<void> {
  const { name, commands } = program
  const [first = 'serve', ...rest] = args
  if (first === '--help' || first === '-h') return print(await helpOf(program))
  if (first === '--version') return print([`${name} ${version}`])
  const load = Object.hasOwn(commands, first) ? commands[first] : undefined
  if (!load) {
    const wrong = first.startsWith('-') ? `unknown option ${first}` : `unknown command ${first}`
    throw new UsageError(`${name}: ${wrong} (${name} --help says more)`)
  }
  const { command } = await load()
  await call({ name: first === 'serve' ? name : `${name} ${first}`, program: name }, command, rest)
}

async function call(called: { name: string; program: string }, command: Command, args: string[]): Promise<void> {
  const { name, program } = called
  try {
    const { positionals, values } = parse(command, args)
    if (values['help'] === true) return print((await import('./program-help.ts')).helpOfCommand(name, command))
    if (values['version'] === true) return print([`${program} ${version}`])
    if (positionals.length > 0 && !command.usage) throw new UsageError('takes no argument (--help says more)')
    print((await command.run({ positionals, values })) ?? [])
  } catch (error) {
    const line = `${name}: ${messageOf(error)}`
    throw error instanceof UsageError ? new UsageError(line) : new Error(line)
  }
}

function parse(command: Command, args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { ...command.options, ...common } })
  } catch (error) {
    const [sentence] = messageOf(error).split('. ')
    throw new UsageError(`${sentence} (--help says more)`)
  }
}

async function helpOf(program: Program): Promise<string[]> {
  return (await import('./program-help.ts')).helpOfProgram(program)
}

function print(lines: readonly string[]): void {
  // One write for all lines: a reader such as `head` may close the pipe after the first.
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`)
}
