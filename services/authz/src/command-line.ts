/** What the commands of this service share: their arguments, `--help`, tables, and the database that they open. */

import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '@financial-agents/postgres/database'
import { runCommand } from '@financial-agents/runtime/command'

const options = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  'lead-seconds': { type: 'string' },
} as const

type Option = keyof typeof options

export type Arguments = { positionals: string[]; json: boolean; leadSeconds: string | undefined }

type Command = {
  name: string
  usage: readonly string[]
  /** Those that it takes beside `--help`; any other is refused. */
  takes: readonly Option[]
  work: (given: Arguments) => Promise<readonly string[]>
}

/** Runs a command: its lines on stdout, or one line on stderr and exit code 1. `--help` prints the usage. */
export function runCommandLine({ name, usage, takes, work }: Command): Promise<void> {
  return runCommand(name, async () => {
    const { values, positionals } = parseArgs({ allowPositionals: true, options })
    if (values.help) return usage
    const refused = Object.keys(values).find((option) => !takes.some((taken) => taken === option))
    if (refused) throw new Error(`does not take --${refused} (--help says more)`)
    return work({ positionals, json: values.json ?? false, leadSeconds: values['lead-seconds'] })
  })
}

/** Runs `work` with the database of the command `name`. */
export async function withDatabase<Result>(
  connectionString: string,
  name: string,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const options = { connectionString, applicationName: `authz-${name}`, schema: 'authz', maxConnections: 2 }
  const db = openDatabase({ ...options, onError: () => {} })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Lines of columns as wide as they need to be, under their names. */
export function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [columns, ...rows]
  const widths = columns.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
