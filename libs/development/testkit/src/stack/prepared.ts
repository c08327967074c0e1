/** The work that a test run has prepared for all its stacks, and the variable through which its workers find it. */

import type { Bundles } from './programs.ts'
import type { MigratedDatabase } from './schemas.ts'

/** Everything that a stack can start from. Plain data: the run passes it to its workers in an environment variable. */
export type Prepared = {
  /** A bundle of each service, for stacks with processes of their own. */
  bundles?: Bundles
  /** The folder of the bundle of all services. */
  system: string
  /** Undefined if PostgreSQL comes from a source whose data cannot be copied. */
  database?: MigratedDatabase
}

const variable = 'TEST_PREPARED_STACKS'

/** Sets the variable for the workers that start later; undefined removes it. */
export function tellPrepared(prepared: Prepared | undefined): void {
  if (prepared === undefined) delete process.env[variable]
  else process.env[variable] = JSON.stringify(prepared)
}

/** Returns what this run has prepared; undefined if there is nothing. */
export function findPrepared(): Prepared | undefined {
  const text = process.env[variable]
  return text === undefined ? undefined : (JSON.parse(text) as Prepared)
}
