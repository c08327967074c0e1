/**
 * Configuration comes from the environment alone and is checked once, at the start: a service either has everything it
 * needs or says in one line what is missing. Values are never printed.
 */

import { z } from 'zod'

/** The environment is not what a service needs; its message names each variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * The environment as `schema` wants it; unknown variables are ignored.
 * @throws ConfigError that names every variable that is missing or not valid, without its value
 */
export function readConfig<Schema extends z.ZodObject>(schema: Schema, env: NodeJS.ProcessEnv): z.output<Schema> {
  const given = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, env[name] || undefined]))
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues.map((issue) => {
    const name = issue.path.join('.')
    // What refines a value speaks for itself; to everything else one that is not set is of the wrong type.
    const isMissing = issue.code !== 'custom' && given[name] === undefined
    const choice = issue.code === 'invalid_value' ? `: one of ${issue.values.join(', ')}` : ''
    return `${name} (${isMissing ? `not set${choice}` : issue.message})`
  })
  throw new ConfigError(`configuration: ${wrong.join('; ')}`)
}

/** What every service takes. */
export const commonConfig = z.object({
  /** Names the environment; tokens, keys and data of one are never valid in another. */
  ENVIRONMENT: z.enum(['local', 'test', 'production']),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Port of the health and metrics listener; 0 takes a free one. */
  HEALTH_PORT: z.coerce.number().int().min(0).max(65535).default(9090),
  HEALTH_HOST: z.string().default('0.0.0.0'),
  /** Development and tests: lets PUT /clock on the health port move this process's clock. */
  MOVABLE_CLOCK: z.stringbool().default(false),
})

/** What every service on the bus takes. */
export const busConfig = z.object({
  /** Comma-separated nats:// addresses, or tls:// ones, which are spoken to by TLS or not at all. */
  NATS_URL: z.string(),
  /** The file with the certificates that sign those of the servers, where the system does not know them. */
  NATS_CA_FILE: z.string().optional(),
  /** The service's own NKEY seed. */
  NATS_NKEY_SEED: z.string(),
})

/** What every service with a schema takes. */
export const databaseConfig = z.object({
  /** postgres:// address with the service's own role. */
  DATABASE_URL: z.string(),
  DATABASE_MAX_CONNECTIONS: z.coerce.number().int().min(2).max(200).default(10),
})

/** What a command with a schema takes, which needs no more connections than its own. */
export const databaseUrlConfig = databaseConfig.pick({ DATABASE_URL: true })

/** A pause or an age in milliseconds. */
export const pauseMs = z.coerce.number().int().min(10)

/** Base64 of exactly `bytes` bytes, for keys. */
export function base64Key(bytes: number) {
  return z
    .base64({ error: `must be the base64 of ${bytes} bytes` })
    .transform((value) => Buffer.from(value, 'base64'))
    .refine((value) => value.length === bytes, { error: `must be the base64 of ${bytes} bytes` })
}
