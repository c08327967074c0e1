/** The service as a separate process, in the schema of a test. It stores its compiled code before a test kills it. */

import { flushCompileCache } from 'node:module'
import { runCommand } from '@financial-agents/runtime/program'
import { serveCommand } from '@financial-agents/service/serve-command'
import { operationsConfig } from './config.ts'
import { service } from './service.ts'

const schema = String(process.env.TEST_SCHEMA)

const command = serveCommand({
  name: 'operations',
  config: operationsConfig,
  start: async (given) => {
    const started = await service.start({ ...given, schema })
    flushCompileCache()
    return started
  },
})

runCommand('operations', command)
