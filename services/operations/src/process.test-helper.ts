/** The service as a process of its own, in the schema of a test. */

import { runService } from '@financial-agents/runtime/service'
import { operationsConfig } from './config.ts'
import { startOperations } from './start.ts'

const schema = String(process.env.TEST_SCHEMA)

await runService({
  name: 'operations',
  config: operationsConfig,
  start: (parts) => startOperations({ ...parts, schema }),
})
