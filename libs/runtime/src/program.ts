/**
 * The entry of every program: a table of commands, of which `serve` is the usual one. A command's module is loaded only
 * when it is called, and `--help` and `--version` need no configuration. Exit code 2 and one line that says what to do
 * where the call is wrong, 1 and one line where the work failed.
 */

import { parseArgs } from 'node:util'
import { type Command, messageOf, UsageError } from './command.ts'
import { helpOfCommand, helpOfProgram } from './program-help.ts'
import { version } from './version.ts'

/** A program by its commands; `serve` is what it does when nothing else is asked for. */
export type Program = {
  name: string
  /** What the program is, in one sentence. */
  summary: string
  commands: Readonly<Record<string, () => Promise<{ command: Command }>>> & {
    readonly serve: () => Promise<{ command: Command }>
  }
}

const common = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const

/** Runs what the command line of this process asks for. Never throws: what goes wrong is on stderr and in the exit code. */
export function runProgram(program: Program): void {
  run(program, process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exitCode = error instanceof UsageError ? 2 : 1
  })
}

async function run(program: Program, args: readonly string[]): Promise<void> {
  const [first = 'serve', ...rest] = args
  if (first === '--help' || first === '-h') return print(await helpOfProgram(program))
  if (first === '--version') return print([`${program.name} ${version}`])
  const load = Object.hasOwn(program.commands, first) ? program.commands[first] : undefined
  if (!load) {
    const wrong = first.startsWith('-') ? `unknown option ${first}` : `unknown command ${first}`
    throw new UsageError(`${program.name}: ${wrong} (${program.name} --help says more)`)
  }
  const { command } = await load()
  const name = `${program.name} ${first}`
  const { positionals, values } = parse(name, command, rest)
  if (values['help'] === true) return print(helpOfCommand(name, command))
  if (values['version'] === true) return print([`${program.name} ${version}`])
  try {
    if (positionals.length > 0 && !command.usage) throw new UsageError('takes no argument (--help says more)')
    print((await command.run({ positionals, values })) ?? [])
  } catch (error) {
    const line = `${first === 'serve' ? program.name : name}: ${messageOf(error)}`
    throw error instanceof UsageError ? new UsageError(line) : new Error(line)
  }
}

function parse(name: string, command: Command, args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { ...command.options, ...common } })
  } catch (error) {
    const [sentence] = messageOf(error).split('. ')
    throw new UsageError(`${name}: ${sentence} (--help says more)`)
  }
}

function print(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`)
}
