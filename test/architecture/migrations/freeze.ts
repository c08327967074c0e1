/**
 * `pnpm freeze-migrations`: adds the hashes of new migrations to the committed ones. It refuses if a frozen migration
 * has changed.
 */

import { freeze } from './hashes.ts'
import { listServiceMigrations } from './services.ts'

try {
  for (const each of await listServiceMigrations()) {
    for (const name of freeze(each)) process.stdout.write(`${each.service}: froze ${name}\n`)
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
