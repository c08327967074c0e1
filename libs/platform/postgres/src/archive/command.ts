/** The command `archive` of a service. It connects as the owner of the schema, as `migrate` does. */

import { type Command, UsageError } from '@financial-agents/runtime/command'
import { databaseUrlConfig, type Environment, readConfig } from '@financial-agents/runtime/config'
import { z } from 'zod'
import { isUuid } from '../is-uuid.ts'
import { schemaName } from '../schema-name.ts'
import { archive } from './archive.ts'
import type { ArchivePlan } from './plan.ts'
import { readArchived, verifyAll } from './read-back.ts'

const files = z.object({
  /** The folder of the archive. Services that archive after each other share it. */
  ARCHIVE_DIR: z.string().min(1),
})

const config = databaseUrlConfig.extend(files.shape).extend({
  /**
   * The number of months for which a month stays after its end. Idempotency keys lead to operations for 30 days, which can
   * be longer than a month.
   */
  ARCHIVE_AFTER_MONTHS: z.coerce.number().int().min(2).max(1_200).optional(),
})

export function archiveCommand(plan: ArchivePlan): Command {
  const { service } = plan
  return {
    summary: 'write old settled months to files, verify them, and remove the months',
    usage: [
      ['archive', 'every month that ended ARCHIVE_AFTER_MONTHS ago; DATABASE_URL of the owner'],
      ['archive show <operation id>', 'the rows of an operation in the files of all services'],
      ['archive verify', 'read all files of this service back'],
    ],
    config,
    run: async ({ positionals: [action, id, ...more], environment }) => {
      if (more.length > 0) throw new UsageError(`unknown argument ${more[0]}`)
      if (action === 'show') return show(id, environment)
      if (id !== undefined) throw new UsageError(`unknown argument ${id}`)
      if (action === 'verify') return verifyAll(readConfig(files, environment).ARCHIVE_DIR, service)
      if (action !== undefined) throw new UsageError(`unknown argument ${action}; it takes show, verify`)
      const given = readConfig(config, environment)
      if (given.ARCHIVE_AFTER_MONTHS === undefined) return ['ARCHIVE_AFTER_MONTHS is not set: nothing is archived']
      return archive({
        connectionString: given.DATABASE_URL,
        schema: schemaName(service),
        afterMonths: given.ARCHIVE_AFTER_MONTHS,
        dir: given.ARCHIVE_DIR,
        plan,
      })
    },
  }
}

async function show(id: string | undefined, environment: Environment): Promise<string[]> {
  if (id === undefined || !isUuid(id)) throw new UsageError('archive show takes the id of an operation')
  const { ARCHIVE_DIR } = readConfig(files, environment)
  const rows = await readArchived(ARCHIVE_DIR, id.toLowerCase())
  if (rows.length === 0) throw new Error(`no file of ${ARCHIVE_DIR} has operation ${id}`)
  return rows.map(({ folder, table, line }) => `${folder} ${table} ${line}`)
}
