/** The archive of operations as a separate process, in the schema of a test. It stores its compiled code before it is killed. */

import { flushCompileCache } from 'node:module'
import { archive } from '@financial-agents/postgres/archive/archive'
import { armFailpoint } from '@financial-agents/runtime/failpoint'
import { archivePlan } from './commands/archive.ts'

flushCompileCache()
armFailpoint(process.env.FAILPOINT)
const lines = await archive({
  connectionString: String(process.env.DATABASE_URL),
  schema: String(process.env.TEST_SCHEMA),
  dir: String(process.env.ARCHIVE_DIR),
  afterMonths: 2,
  plan: archivePlan,
})
process.stdout.write(lines.join('\n'))
