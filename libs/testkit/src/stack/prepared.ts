/** What a test run prepares once for all its stacks, and where its workers find it. */

import type { Bundles } from './programs.ts'
import type { MigratedDatabase } from './schemas.ts'

/** What a stack can start from. Plain data: the run hands it to its workers in an environment variable. */
export type Prepared = {
  bundles: Bundles
  /** Undefined where PostgreSQL comes from a place whose data cannot be copied. */
  database?: MigratedDatabase
}

const variable = 'TEST_PREPARED_STACKS'

/** Tells the workers that start after this; undefined takes it back. */
export function tellPrepared(prepared: Prepared | undefined): void {
  if (prepared === undefined) delete process.env[variable]
  else process.env[variable] = JSON.stringify(prepared)
}

/** What this run has prepared; undefined where nothing is. */
export function findPrepared(): Prepared | undefined {
  const text = process.env[variable]
  return text === undefined ? undefined : (JSON.parse(text) as Prepared)
}
