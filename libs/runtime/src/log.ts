/**
 * JSON logs with redaction. Request and trace ids come from the context of the request, so no call site passes them.
 * Never logged: tokens, proofs, keys, payloads. The paths below are the net under that rule, not the rule.
 *
 * A line is written before the call returns: the last ones of a process that ends are there, and in their order.
 */

import { type DestinationStream, type Logger, pino } from 'pino'
import { currentContext } from './context.ts'
import { telemetryIsOn } from './trace.ts'

/** The log of a service. */
export type Log = Logger

const secret = [
  'authorization',
  'dpop',
  'cookie',
  'set-cookie',
  'client_assertion',
  'access_token',
  'refresh_token',
  'code',
  'code_verifier',
  'payload',
  'credentials',
  'details',
  'password',
  'seed',
  'privateKey',
]

/** The logger of a process. */
export function createLog(options: { service: string; level: string; destination?: DestinationStream }): Log {
  const settings = {
    level: options.level,
    base: { service: options.service, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => {
      const context = currentContext()
      if (!context) return {}
      // With telemetry on, its own instrumentation of pino adds the trace id.
      if (telemetryIsOn) return { request_id: context.requestId }
      return { request_id: context.requestId, trace_id: context.traceparent.slice(3, 35) }
    },
    redact: {
      paths: secret.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[redacted]',
    },
    serializers: { err: serializeError },
  }
  return pino(settings, options.destination ?? pino.destination({ dest: 1, sync: true }))
}

/** Messages and stacks only: the properties of an error may carry what was sent. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  }
}
