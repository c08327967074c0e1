/**
 * The entry of every program: a table of commands, of which `serve` is the usual one. A command's module is loaded only
 * when it is called, and `--help` and `--version` need no configuration. Exit code 2 and one line that says what to do
 * where the call is wrong, 1 and one line where the work failed.
 */

import { parseArgs } from 'node:util'
import { type Command, messageOf, UsageError } from './command.ts'
import { version } from './version.ts'

/** Commands by name, each loaded when it is called. */
export type Commands = Readonly<Record<string, () => Promise<{ command: Command }>>>

/** A program by its commands; `serve` is what it does when nothing else is asked for. */
export type Program = {
  name: string
  /** What the program is, in one sentence. */
  summary: string
  commands: Commands & { readonly serve: () => Promise<{ command: Command }> }
}

const common = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const

/** Runs what the command line of this process asks for. Never throws: what goes wrong is on stderr and in the exit code. */
export function runProgram(program: Program): void {
  finish(run(program, process.argv.slice(2)))
}

/** A program that does one thing, and is called by its name alone. */
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
  // In one piece: who reads the first lines alone may be gone before the last.
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`)
}
