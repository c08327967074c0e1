/** The command `serve` of a service. It loads the process's modules only when it runs, so that `--help` and other commands stay fast. */

import type { Command } from '@financial-agents/runtime/command'
import { commonConfig, readConfig } from '@financial-agents/runtime/config'
import { z } from 'zod'
import type { ProcessOptions } from './process.ts'

/** Returns the command. Its variables are the common variables of all services and the service's own. */
export function serveCommand<Config extends z.ZodObject>(options: ProcessOptions<Config>): Command {
  const config = z.object({ ...commonConfig.shape, ...options.config.shape })
  return {
    summary: 'run the service until SIGTERM or SIGINT',
    config,
    run: async () => {
      const { exitWithoutConfig, runProcess } = await import('./process.ts')
      // Reads all variables at once, so that one line names every error.
      exitWithoutConfig(() => readConfig(config, process.env))
      await runProcess(options)
      return []
    },
  }
}
