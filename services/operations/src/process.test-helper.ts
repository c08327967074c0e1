/** The service as a process of its own, in the schema of a test. */

import { runProgram } from '@financial-agents/runtime/program'
import { serviceCommand } from '@financial-agents/runtime/service'
import { operationsConfig } from './config.ts'
import { startOperations } from './start.ts'

const schema = String(process.env.TEST_SCHEMA)

const command = serviceCommand({
  name: 'operations',
  config: operationsConfig,
  start: (parts) => startOperations({ ...parts, schema }),
})

runProgram({ name: 'operations', summary: 'For tests.', commands: { serve: async () => ({ command }) } })
