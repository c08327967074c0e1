/** The database of a command that runs to its end: it has a few connections, which are closed when the command ends. */

import { type Database, openDatabase } from './database.ts'
import { schemaName } from './schema-name.ts'

/** Runs `work` with the database of `service`. The connections carry the name of the service and the command. */
export async function withDatabase<Result>(
  called: { connectionString: string; service: string; command: string },
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const { connectionString, service, command } = called
  const db = openDatabase({
    connectionString,
    applicationName: `${service}-${command}`,
    schema: schemaName(service),
    maxConnections: 2,
    onError: () => {},
  })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
