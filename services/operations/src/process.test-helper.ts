/** The service as a separate process, in the schema of a test. */

import { runCommand } from '@financial-agents/runtime/program'
import { serveCommand } from '@financial-agents/service/serve-command'
import { operationsConfig } from './config.ts'
import { service } from './service.ts'

const schema = String(process.env.TEST_SCHEMA)

const command = serveCommand({
  name: 'operations',
  config: operationsConfig,
  start: (given) => service.start({ ...given, schema }),
})

runCommand('operations', command)
