/**
 * JSON logs with redaction. The logger adds request and trace ids from the request's context. Tokens, proofs, keys and
 * payloads are never logged: callers must not pass them, and the paths below only catch mistakes.
 *
 * Lines are written synchronously, so the last lines before the end of a process are complete and in order.
 */

import { type DestinationStream, type Logger, pino } from 'pino'
import { currentContext } from './context.ts'
import { telemetryIsOn } from './telemetry-is-on.ts'

export type Log = Logger

/** The place to which a log is written. */
export type LogDestination = DestinationStream

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

/** Writes to standard output if `destination` is absent. */
export function createLog(options: { service: string; level: string; destination?: LogDestination | undefined }): Log {
  const settings = {
    level: options.level,
    base: { service: options.service, pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => {
      const context = currentContext()
      if (!context) return {}
      // With telemetry on, the instrumentation of pino adds the trace id.
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

export function openLogFile(path: string): LogDestination {
  return pino.destination({ dest: path, sync: true })
}

/** Logs messages and stacks only: other properties of an error may contain what was sent. */
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
