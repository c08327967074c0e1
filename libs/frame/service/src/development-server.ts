/** The program of a development server. It listens until SIGTERM or SIGINT, and has no bus, no schema and no health listener. */

import { type Environment, readConfig } from '@financial-agents/runtime/config'
import { createLog, type LogDestination } from '@financial-agents/runtime/log'
import type { z } from 'zod'
import type { ServiceProgram } from './service.ts'

type Config = { HOST: string; PORT: number; LOG_LEVEL: string }

/** `create` may return a Fastify application as its `server`. */
export type DevelopmentServerOptions<Schema extends z.ZodObject> = {
  name: string
  /** One sentence about the server, for its help. */
  summary: string
  config: Schema
  /** `logged` is logged once the server listens; if it is absent, the address is logged. */
  create: (config: z.output<Schema>) => Promise<{
    server: { listen(at: { host: string; port: number }): Promise<string>; close(): Promise<unknown> }
    logged?: Readonly<Record<string, string>>
  }>
}

export function defineDevelopmentServer<Schema extends z.ZodObject & z.ZodType<Config>>(
  options: DevelopmentServerOptions<Schema>,
): ServiceProgram {
  const { name, summary } = options
  const launch = async (environment: Environment, destination?: LogDestination) => {
    const config = readConfig(options.config, environment)
    const log = createLog({ service: name, level: config.LOG_LEVEL, destination })
    const { server, logged } = await options.create(config)
    const address = await server.listen({ host: config.HOST, port: config.PORT })
    log.info(logged ?? { address }, 'listening')
    return {
      ready: Promise.resolve(),
      stop: async () => {
        log.info('stopping')
        await server.close()
      },
    }
  }
  const command = {
    summary: 'run the server until SIGTERM or SIGINT',
    config: options.config,
    run: async ({ environment }: { environment: Environment }) => {
      const { stop } = await launch(environment)
      for (const signal of ['SIGTERM', 'SIGINT'] as const)
        process.once(signal, () => void stop().finally(() => process.exit(0)))
      return undefined
    },
  }
  return { program: { name, summary, commands: { serve: async () => ({ command }) } }, launch }
}
