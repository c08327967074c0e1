/** `list-clients` shows every client that was ever declared, with its current grants. */

import { withDatabase } from '@financial-agents/postgres/command-database'
import { defineCommand, linesOf, UsageError } from '@financial-agents/runtime/command'
import { databaseUrlConfig, readConfig } from '@financial-agents/runtime/config'
import { listClientSummaries } from '../store/clients.ts'

export const command = defineCommand({
  summary: 'show every client with what it holds',
  usage: [['list-clients [--json]', 'every client with its profile, status, scopes and active grants']],
  config: databaseUrlConfig,
  options: { json: { type: 'boolean' } },
  run: async ({ positionals, values, environment }) => {
    if (positionals.length > 0) throw new UsageError('takes no argument but --json (--help says more)')
    const { DATABASE_URL } = readConfig(databaseUrlConfig, environment)
    const called = { connectionString: DATABASE_URL, service: 'authz', command: 'list-clients' }
    const clients = await withDatabase(called, (db) => listClientSummaries(db, new Date()))
    if (values.json) return [JSON.stringify(clients)]
    const rows = clients.map((client) => {
      const { client_id, profile, status, scopes, active_grants, name } = client
      return [client_id, profile, status, String(scopes.length), String(active_grants), name]
    })
    return linesOf([['client', 'profile', 'status', 'scopes', 'grants active', 'name'], ...rows])
  },
})
