/**
 * The instrumentations that are worth their cost: requests, statements, provider calls, and trace ids in the log.
 * Bundles contain no others.
 */

/** Suffixes of the chosen packages `@opentelemetry/instrumentation-*`. */
export const instrumentations = ['http', 'pg', 'undici', 'pino', 'runtime-node'] as const
