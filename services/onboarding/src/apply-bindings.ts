/**
 * Command: `apply-bindings <file.yaml>` makes the bindings be what the file declares. One line for each owner that
 * changed and a last one in all; exit code 1 and one line where the file or the database does not let it.
 */

import { openDatabase } from '@financial-agents/postgres/database'
import { createClock } from '@financial-agents/runtime/clock'
import { runCommand } from '@financial-agents/runtime/command'
import { readConfig } from '@financial-agents/runtime/config'
import { createSealer } from '@financial-agents/runtime/sealing'
import { applyBindings } from './apply.ts'
import { readBindingsFile } from './bindings-file.ts'
import { applyConfig } from './config.ts'

await runCommand('apply-bindings', async () => {
  const path = process.argv[2]
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
    return [
      ...changed.map(({ owner_id, change }) => `${owner_id}: ${change}`),
      `bindings: ${changed.length} changed, ${changes.length - changed.length} unchanged`,
    ]
  } finally {
    await db.close()
  }
})
