/**
 * The command `freeze-migrations`: adds the hashes of new migrations to the committed ones. It refuses if a frozen
 * migration has changed.
 */

import { defineCommand } from '@financial-agents/runtime/command'
import { runCommand } from '@financial-agents/runtime/program'
import { freeze } from './hashes.ts'
import { listServiceMigrations } from './services.ts'

export const command = defineCommand({
  summary: 'add the hash of each new migration to the hashes.json of its service',
  usage: [['freeze-migrations', 'fails if a frozen migration has changed']],
  run: async () => {
    const frozen: string[] = []
    for (const each of await listServiceMigrations())
      for (const name of freeze(each)) frozen.push(`${each.service}: froze ${name}`)
    return frozen
  },
})

if (import.meta.main) runCommand('freeze-migrations', command)
