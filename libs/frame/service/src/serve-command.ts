/** The command `serve` of a service. It loads the process's modules only when it runs, so that `--help` and other commands stay fast. */

import type { Command } from '@financial-agents/runtime/command'
import { commonConfig } from '@financial-agents/runtime/config'
import { z } from 'zod'
import type { LaunchOptions } from './launch.ts'

/** Returns the command. Its variables are the common variables of all services and the service's own. */
export function serveCommand<Config extends z.ZodObject>(options: LaunchOptions<Config>): Command {
  return {
    summary: 'run the service until SIGTERM or SIGINT',
    config: z.object({ ...commonConfig.shape, ...options.config.shape }),
    run: async ({ environment }) => {
      const { runProcess } = await import('./process.ts')
      await runProcess(options, environment)
      return []
    },
  }
}
