/**
 * `apply-clients <file>` makes the clients equal to those that the file declares, in one transaction. It is idempotent
 * and prints one line for each change. A running authz announces the changes and sends the fences; the command waits
 * until the submitter has confirmed every end, or says that it has not.
 */

import { readFile } from 'node:fs/promises'
import { withDatabase } from '@financial-agents/postgres/command-database'
import { tellEnds } from '@financial-agents/postgres/reported-ends'
import { type Command, UsageError } from '@financial-agents/runtime/command'
import { commonConfig, databaseUrlConfig, readConfig } from '@financial-agents/runtime/config'
import { pairwiseConfig } from '../config.ts'
import { applyRegistrations } from '../registration/apply-registrations.ts'
import { localRegistration, registration } from '../registration/registration.ts'
import { parseRegistrations } from '../registration/registration-file.ts'
import { unconfirmedEnds } from '../store/fences.ts'

const config = databaseUrlConfig.extend(pairwiseConfig.shape).extend({
  /** `local` permits applications in the browser on plain HTTP of loopback. */
  ENVIRONMENT: commonConfig.shape.ENVIRONMENT.optional(),
})

export const command: Command = {
  summary: 'bring the clients to what a file declares',
  usage: [['apply-clients <file>', 'a client that the YAML file does not declare any more is suspended']],
  config,
  run: async ({ positionals: [file, ...more], environment }) => {
    if (file === undefined || more.length > 0) throw new UsageError('say which file: apply-clients <file>')
    const { DATABASE_URL, PAIRWISE_KEY, ENVIRONMENT } = readConfig(config, environment)
    const schema = ENVIRONMENT === 'local' ? localRegistration : registration
    const registrations = parseRegistrations(file, await readFile(file, 'utf8'), schema)
    const called = { connectionString: DATABASE_URL, service: 'authz', command: 'apply-clients' }
    const options = { pairwiseKey: PAIRWISE_KEY, now: new Date() }
    return withDatabase(called, async (db) => {
      const lines = await applyRegistrations(db, registrations, options)
      return [...lines, ...(await tellEnds(db, unconfirmedEnds, 'authz'))]
    })
  },
}
