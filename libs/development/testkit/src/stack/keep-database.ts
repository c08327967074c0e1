/** The data of a PostgreSQL with every schema migrated, kept in the cache. Stacks start from copies of it. */

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keepFolder } from '@financial-agents/servers/cache'
import { runToEnd } from '@financial-agents/servers/child-process'
import {
  describeCopiablePostgres,
  hastySettings,
  type PostgresData,
  startPostgres,
} from '@financial-agents/servers/postgres-server'
import { createSchemas, type MigratedDatabase } from './schemas.ts'

type Options = {
  /** Returns the key of the data, which is made of all that shapes the schemas and of this server. */
  keyFor: (server: string) => Promise<string>
  migrate: Parameters<typeof createSchemas>[1]
  /** The sources of PostgreSQL, in the order in which they are tried; the usual ones if absent. */
  sources?: readonly ('path' | 'npm')[]
  log: (line: string) => void
  signal?: AbortSignal | undefined
}

/** The file that holds the passwords of the data. They are of no use without a stack, which listens on loopback. */
const description = 'database.json'

/** Makes the data if there are none yet. Undefined if no source has a PostgreSQL whose data can be copied. */
export async function keepDatabase({ keyFor, sources, ...options }: Options): Promise<MigratedDatabase | undefined> {
  const server = await describeCopiablePostgres(sources)
  if (server === undefined) return undefined
  const folder = await keepFolder({ name: 'database', key: await keyFor(server.description) }, async (into) => {
    const database = await migrateAll(into, { ...options, sources: [server.source] })
    await writeFile(join(into, description), JSON.stringify(database), { mode: 0o600 })
  })
  const { data, roles } = JSON.parse(await readFile(join(folder, description), 'utf8')) as MigratedDatabase
  return { data: { ...data, folder: join(folder, 'data') }, roles }
}

async function migrateAll(
  into: string,
  { migrate, sources, log, signal }: Omit<Options, 'keyFor'> & Required<Pick<Options, 'sources'>>,
): Promise<MigratedDatabase> {
  const server = await startPostgres({ log, signal, settings: hastySettings, sources })
  try {
    log('migrating the schemas')
    const roles = await createSchemas(server.adminUrl, migrate)
    const data: PostgresData = await server.freeze()
    await runToEnd('cp', 'cp', ['-Rp', data.folder, join(into, 'data')])
    return { data, roles }
  } finally {
    await server.stop()
  }
}
