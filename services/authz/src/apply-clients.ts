/**
 * Command: `apply-clients <file>` brings the clients to what the file declares. Idempotent; one transaction; one line for
 * each change. Takes DATABASE_URL and PAIRWISE_KEY. A running authz announces what changed.
 */

import { readFile } from 'node:fs/promises'
import { openDatabase } from '@financial-agents/postgres/database'
import { runCommand } from '@financial-agents/runtime/command'
import { databaseConfig, readConfig } from '@financial-agents/runtime/config'
import { pairwiseConfig } from './config.ts'
import { applyRegistrations } from './registration/apply-registrations.ts'
import { parseRegistrations } from './registration/registration-file.ts'

await runCommand('apply-clients', async () => {
  const file = process.argv[2]
  if (file === undefined) throw new Error('say which file: apply-clients <file>')
  const config = readConfig(databaseConfig.extend(pairwiseConfig.shape), process.env)
  const registrations = parseRegistrations(file, await readFile(file, 'utf8'))
  const db = openDatabase({
    connectionString: config.DATABASE_URL,
    applicationName: 'authz-apply-clients',
    schema: 'authz',
    maxConnections: 2,
    onError: () => {},
  })
  try {
    return await applyRegistrations(db, registrations, { pairwiseKey: config.PAIRWISE_KEY, now: new Date() })
  } finally {
    await db.close()
  }
})
