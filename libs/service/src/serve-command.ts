/** The command `serve` of a service. The process behind it is loaded when it runs: `--help` and the other commands do without. */

import type { Command } from '@financial-agents/runtime/command'
import { commonConfig, readConfig } from '@financial-agents/runtime/config'
import { z } from 'zod'
import type { ProcessOptions } from './process.ts'

/** Takes the variables of every service beside those of its own. */
export function serveCommand<Config extends z.ZodObject>(options: ProcessOptions<Config>): Command {
  const config = z.object({ ...commonConfig.shape, ...options.config.shape })
  return {
    summary: 'run the service until SIGTERM or SIGINT',
    config,
    run: async () => {
      const { exitWithoutConfig, runProcess } = await import('./process.ts')
      // One line names everything that is wrong.
      exitWithoutConfig(() => readConfig(config, process.env))
      await runProcess(options)
      return []
    },
  }
}
