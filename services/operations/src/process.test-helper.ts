/**
 * The service as a separate process, in the schema of a test. It stores its compiled code before a test kills it. At SIGUSR2 it
 * arms the failpoint whose name is in a file, and removes the file.
 */

import { readFileSync, rmSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { armFailpoint } from '@financial-agents/runtime/failpoint'
import { runCommand } from '@financial-agents/runtime/program'
import { serveCommand } from '@financial-agents/service/serve-command'
import { operationsConfig } from './config.ts'
import { service } from './service.ts'

const schema = String(process.env.TEST_SCHEMA)

const failpointFile = String(process.env.TEST_FAILPOINT_FILE)

process.on('SIGUSR2', () => {
  armFailpoint(readFileSync(failpointFile, 'utf8'))
  rmSync(failpointFile)
})

const command = serveCommand({
  name: 'operations',
  config: operationsConfig,
  start: async (given) => {
    const started = await service.start({ ...given, schema })
    flushCompileCache()
    process.stdout.write('started\n')
    return started
  },
})

runCommand('operations', command)
