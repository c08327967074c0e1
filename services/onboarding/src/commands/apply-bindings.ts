/**
 * `apply-bindings <file.yaml>` makes the bindings equal to those that the file declares. It prints one line for each
 * changed owner, and a summary line. It waits until the submitter has confirmed the end of every connection, or says that
 * it has not.
 */

import { withDatabase } from '@financial-agents/postgres/command-database'
import { tellEnds } from '@financial-agents/postgres/reported-ends'
import { createClock } from '@financial-agents/runtime/clock'
import { type Command, UsageError } from '@financial-agents/runtime/command'
import { readConfig } from '@financial-agents/runtime/config'
import { createSealer } from '@financial-agents/runtime/sealing'
import { unconfirmedEnds } from '../announcements-store.ts'
import { applyBindings } from '../apply.ts'
import { readBindingsFile } from '../bindings-file.ts'
import { commandConfig } from '../config.ts'

export const command: Command = {
  summary: 'make the bindings be what a file declares',
  usage: [['apply-bindings <file.yaml>', 'an owner whose binding was declared and is not any more is disconnected']],
  config: commandConfig,
  run: async ({ positionals: [path, ...more], environment }) => {
    if (path === undefined || more.length > 0) throw new UsageError('say which file: apply-bindings <file.yaml>')
    const config = readConfig(commandConfig, environment)
    const declared = await readBindingsFile(path)
    const sealer = createSealer(config.CREDENTIAL_KEYS)
    const called = { connectionString: config.DATABASE_URL, service: 'onboarding', command: 'apply-bindings' }
    return withDatabase(called, async (db) => {
      const changes = await applyBindings({ db, sealer, clock: createClock() }, declared)
      const changed = changes.filter(({ change }) => change !== 'unchanged')
      return [
        ...changed.map(({ owner_id, change }) => `${owner_id}: ${change}`),
        `bindings: ${changed.length} changed, ${changes.length - changed.length} unchanged`,
        ...(await tellEnds(db, unconfirmedEnds, 'onboarding')),
      ]
    })
  },
}
