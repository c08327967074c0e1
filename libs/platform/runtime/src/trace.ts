/**
 * Our own spans: bus requests, messages and provider calls. Without telemetry, a span costs a function call, and the
 * traceparent passes through unchanged. Logs and messages therefore always carry the client's trace id.
 */

import {
  type Context,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { telemetryIsOn } from './telemetry-is-on.ts'

const tracer = trace.getTracer('financial-agents')

export type SpanOptions = {
  name: string
  kind: 'client' | 'server' | 'producer' | 'consumer' | 'internal'
  /** The parent; by default the active span. */
  traceparent?: string | undefined
  /** Further traces to which this work belongs: a batch has one parent, and links to the others. */
  links?: readonly string[]
}

const kinds = {
  client: SpanKind.CLIENT,
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

/** Runs `work` in a span, and passes it the traceparent for further calls. */
export function traced<Result>(options: SpanOptions, work: (traceparent: string) => Promise<Result>): Promise<Result> {
  if (!telemetryIsOn) return work(options.traceparent ?? '')
  const parent = options.traceparent ? parse(options.traceparent) : context.active()
  const links = (options.links ?? []).map(toLink).filter((link) => link !== undefined)
  return tracer.startActiveSpan(options.name, { kind: kinds[options.kind], links }, parent, async (span) => {
    try {
      return await work(format(span))
    } catch (error) {
      // The error's name only: its message may quote what was sent.
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' })
      throw error
    } finally {
      span.end()
    }
  })
}

export function activeTraceparent(): string | undefined {
  if (!telemetryIsOn) return undefined
  const span = trace.getActiveSpan()
  return span && format(span)
}

/** Trace headers for an outgoing HTTP call. Empty if the instrumentation adds them itself. */
export function traceHeaders(traceparent: string): Record<string, string> {
  return telemetryIsOn ? {} : { traceparent }
}

function format(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

function parse(traceparent: string): Context {
  return propagation.extract(ROOT_CONTEXT, { traceparent })
}

function toLink(traceparent: string): Link | undefined {
  const linked = trace.getSpanContext(parse(traceparent))
  return linked && { context: linked }
}
