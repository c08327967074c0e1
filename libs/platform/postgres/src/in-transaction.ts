/** Transactions of commands that work on one connection of their own. Services use `Database.transaction`. */

import type pg from 'pg'

/** Runs the work between BEGIN and COMMIT. Rolls back, and throws the error again, if the work fails. */
export async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN')
  try {
    await work()
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
