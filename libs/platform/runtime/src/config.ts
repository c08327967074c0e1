/**
 * Reads configuration from the environment, once, at the start. A service starts with all variables that it needs, or
 * reports in one line which variables are missing or invalid. Values are never printed.
 */

import { z } from 'zod'

/** The variables of a program. Only its entry reads `process.env`, and passes them on. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The environment does not meet the schema. The message names each missing or invalid variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads the environment by `schema`; unknown variables are ignored.
 * @throws ConfigError that names every missing or invalid variable, without its value
 */
export function readConfig<Schema extends z.ZodObject>(schema: Schema, env: Environment): z.output<Schema> {
  const given = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, env[name] || undefined]))
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues.map((issue) => {
    const name = issue.path.join('.')
    // A custom check has its own message. All other checks report an unset variable as a wrong type.
    const isMissing = issue.code !== 'custom' && given[name] === undefined
    const choice = issue.code === 'invalid_value' ? `: one of ${issue.values.join(', ')}` : ''
    return `${name} (${isMissing ? `not set${choice}` : issue.message})`
  })
  throw new ConfigError(`configuration: ${wrong.join('; ')}`)
}

export const commonConfig = z.object({
  /** The name of the environment. Tokens, keys and data of one environment are never valid in another. */
  ENVIRONMENT: z.enum(['local', 'test', 'production']),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** The port of the health and metrics listener; 0 chooses a free port. */
  HEALTH_PORT: z.coerce.number().int().min(0).max(65535).default(9090),
  HEALTH_HOST: z.string().default('0.0.0.0'),
  /** For development and tests: PUT /clock on the health port may move this process's clock. */
  MOVABLE_CLOCK: z.stringbool().default(false),
})

/** The variables of every service on the bus. */
export const busConfig = z.object({
  /** Comma-separated nats:// or tls:// addresses. With tls://, connections always use TLS. */
  NATS_URL: z.string(),
  /**
   * A file with the certificates of the authority that signs the servers' certificates, if the system does not know it.
   */
  NATS_CA_FILE: z.string().optional(),
  NATS_NKEY_SEED: z.string(),
  /**
   * For development and tests on a busy machine: the time for which a request still waits for its answer after its
   * deadline, and a ping after its usual second. The other side is not notified of it.
   */
  NATS_REQUEST_GRACE_MS: z.coerce.number().int().min(0).max(60_000).default(0),
})

export const databaseConfig = z.object({
  /** A postgres:// address with the service's own role. */
  DATABASE_URL: z.string(),
  DATABASE_MAX_CONNECTIONS: z.coerce.number().int().min(2).max(200).default(10),
})

/** The variables of a command that uses the database with a few connections of its own. */
export const databaseUrlConfig = databaseConfig.pick({ DATABASE_URL: true })

/** A pause or an age, in milliseconds. */
export const pauseMs = z.coerce.number().int().min(10)

/** A base64 string of exactly `bytes` bytes, for keys. */
export function base64Key(bytes: number) {
  return z
    .base64({ error: `must be the base64 of ${bytes} bytes` })
    .transform((value) => Buffer.from(value, 'base64'))
    .refine((value) => value.length === bytes, { error: `must be the base64 of ${bytes} bytes` })
}
