/** What a patched module is worth: requests, statements, provider calls, and trace ids in the log. Bundles have no other. */

/** The chosen ones of `@opentelemetry/instrumentation-*`. */
export const instrumentations = ['http', 'pg', 'undici', 'pino', 'runtime-node'] as const
