/**
 * Command: `apply-clients <file>` brings the clients to what the file declares. Idempotent; one transaction; one line for
 * each change. Takes DATABASE_URL and PAIRWISE_KEY. A running authz announces what changed.
 */

import { readFile } from 'node:fs/promises'
import { databaseConfig, readConfig } from '@financial-agents/runtime/config'
import { runCommandLine, withDatabase } from './command-line.ts'
import { pairwiseConfig } from './config.ts'
import { applyRegistrations } from './registration/apply-registrations.ts'
import { parseRegistrations } from './registration/registration-file.ts'

const usage = [
  'apply-clients <file>   bring the clients to what the YAML file declares; one that is no longer declared is suspended',
  'Takes DATABASE_URL and PAIRWISE_KEY.',
]

await runCommandLine({
  name: 'apply-clients',
  usage,
  takes: [],
  work: async ({ positionals: [file, ...more] }) => {
    if (file === undefined || more.length > 0) throw new Error('say which file: apply-clients <file>')
    const config = readConfig(databaseConfig.extend(pairwiseConfig.shape), process.env)
    const registrations = parseRegistrations(file, await readFile(file, 'utf8'))
    const options = { pairwiseKey: config.PAIRWISE_KEY, now: new Date() }
    return withDatabase(config.DATABASE_URL, 'apply-clients', (db) => applyRegistrations(db, registrations, options))
  },
})
