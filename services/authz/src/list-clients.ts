/** Command: `list-clients` shows every client that was ever declared, with the grants that it holds now. Takes DATABASE_URL. */

import { databaseConfig, readConfig } from '@financial-agents/runtime/config'
import { runCommandLine, tableOf, withDatabase } from './command-line.ts'
import { listClientSummaries } from './store/clients.ts'

const usage = [
  'list-clients [--json]   every client with its profile, status, scopes and active grants',
  'Takes DATABASE_URL.',
]

await runCommandLine({
  name: 'list-clients',
  usage,
  takes: ['json'],
  work: async ({ positionals, json }) => {
    if (positionals.length > 0) throw new Error('takes no argument but --json (--help says more)')
    const config = readConfig(databaseConfig, process.env)
    const clients = await withDatabase(config.DATABASE_URL, 'list-clients', (db) => listClientSummaries(db, new Date()))
    if (json) return [JSON.stringify(clients)]
    const rows = clients.map((client) => {
      const { client_id, profile, status, scopes, active_grants, name } = client
      return [client_id, profile, status, String(scopes.length), String(active_grants), name]
    })
    return tableOf(['client', 'profile', 'status', 'scopes', 'grants active', 'name'], rows)
  },
})
