/** A service for process.test.ts. If START is `signalled`, it starts on SIGUSR2. STOP decides how it ends. */

import { once } from 'node:events'
import { runCommand } from '@financial-agents/runtime/program'
import { z } from 'zod'
import { serveCommand } from './serve-command.ts'

const config = z.object({
  START: z.enum(['at once', 'signalled', 'never', 'fails']),
  STOP: z.enum(['at once', 'never']),
})
const never = new Promise<never>(() => {})

const command = serveCommand({
  name: 'sleeper',
  config,
  start: async ({ config: { START, STOP }, log }) => {
    log.info('starting')
    if (START === 'signalled') await once(process, 'SIGUSR2')
    if (START === 'never') await never
    if (START === 'fails') throw new Error('no bed')
    log.info('answering')
    return {
      checks: {},
      stop: async () => {
        log.info('finishing')
        if (STOP === 'never') await never
      },
    }
  },
})

runCommand('sleeper', command)
