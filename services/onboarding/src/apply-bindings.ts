/**
 * Command: `apply-bindings <file.yaml>` makes the bindings be what the file declares. One line for each owner that
 * changed and a last one in all; exit code 1 and one line where the file or the database does not let it.
 */

import { openDatabase } from '@financial-agents/postgres/database'
import { createClock } from '@financial-agents/runtime/clock'
import { readConfig } from '@financial-agents/runtime/config'
import { createSealer } from '@financial-agents/runtime/sealing'
import { applyBindings } from './apply.ts'
import { readBindingsFile } from './bindings-file.ts'
import { applyConfig } from './config.ts'

async function run(path: string | undefined): Promise<void> {
  if (path === undefined) throw new Error('say which file: apply-bindings <file.yaml>')
  const config = readConfig(applyConfig, process.env)
  const declared = await readBindingsFile(path)
  const db = openDatabase({
    connectionString: config.DATABASE_URL,
    applicationName: 'onboarding-apply-bindings',
    schema: 'onboarding',
    maxConnections: config.DATABASE_MAX_CONNECTIONS,
    onError: () => {},
  })
  try {
    const sealer = createSealer(config.CREDENTIAL_KEYS)
    const changes = await applyBindings({ db, sealer, clock: createClock() }, declared)
    const changed = changes.filter(({ change }) => change !== 'unchanged')
    for (const { owner_id, change } of changed) process.stdout.write(`${owner_id}: ${change}\n`)
    process.stdout.write(`bindings: ${changed.length} changed, ${changes.length - changed.length} unchanged\n`)
  } finally {
    await db.close()
  }
}

try {
  await run(process.argv[2])
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException
  process.stderr.write(`apply-bindings: ${message || `the database is out of reach (${code})`}\n`)
  process.exitCode = 1
}
