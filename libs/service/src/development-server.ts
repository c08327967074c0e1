/** The program of a development server. It listens until SIGTERM or SIGINT, and has no bus, no schema and no health listener. */

import type { Command } from '@financial-agents/runtime/command'
import { readConfig } from '@financial-agents/runtime/config'
import { createLog } from '@financial-agents/runtime/log'
import type { Program } from '@financial-agents/runtime/program'
import type { z } from 'zod'

type Config = { HOST: string; PORT: number; LOG_LEVEL: string }

/** The definition of a development server. `create` may return a Fastify application as its `server`. */
export type DevelopmentServerOptions<Schema extends z.ZodObject> = {
  name: string
  /** One sentence about the server, for its help. */
  summary: string
  config: Schema
  /** Creates the server. `told` is logged once the server listens; if it is absent, the address is logged. */
  create: (config: z.output<Schema>) => Promise<{
    server: { listen(at: { host: string; port: number }): Promise<string>; close(): Promise<unknown> }
    told?: Readonly<Record<string, string>>
  }>
}

/** Defines a development server. */
export function defineDevelopmentServer<Schema extends z.ZodObject & z.ZodType<Config>>(
  options: DevelopmentServerOptions<Schema>,
): { program: Program } {
  const { name, summary } = options
  const command = serveCommand(options)
  return { program: { name, summary, commands: { serve: async () => ({ command }) } } }
}

function serveCommand<Schema extends z.ZodObject & z.ZodType<Config>>(
  options: DevelopmentServerOptions<Schema>,
): Command {
  return {
    summary: 'run the server until SIGTERM or SIGINT',
    config: options.config,
    run: async () => {
      const config = readConfig(options.config, process.env)
      const log = createLog({ service: options.name, level: config.LOG_LEVEL })
      const { server, told } = await options.create(config)
      const address = await server.listen({ host: config.HOST, port: config.PORT })
      log.info(told ?? { address }, 'listening')
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        process.once(signal, () => {
          log.info('stopping')
          void server.close().finally(() => process.exit(0))
        })
      }
      return undefined
    },
  }
}
