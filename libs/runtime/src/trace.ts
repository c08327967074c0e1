/**
 * Spans of our own: bus requests, messages, provider calls. Without telemetry they cost a function call and the
 * traceparent passes through unchanged, so logs and messages carry the client's trace id either way.
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

/** True where the preload registered OpenTelemetry. */
export const telemetryIsOn = Boolean(
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT || process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
)

const tracer = trace.getTracer('financial-agents')

/** What a span says. */
export type SpanOptions = {
  name: string
  kind: 'client' | 'server' | 'producer' | 'consumer' | 'internal'
  /** The parent; the active span is the parent where it is absent. */
  traceparent?: string | undefined
  /** Other traces that this work belongs to as well: a batch has one parent and links to the rest. */
  links?: readonly string[]
}

const kinds = {
  client: SpanKind.CLIENT,
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

/** Runs `work` in a span; `work` is given the traceparent to pass on. */
export function traced<Result>(options: SpanOptions, work: (traceparent: string) => Promise<Result>): Promise<Result> {
  if (!telemetryIsOn) return work(options.traceparent ?? '')
  const parent = options.traceparent ? parse(options.traceparent) : context.active()
  const links = (options.links ?? []).map(toLink).filter((link) => link !== undefined)
  return tracer.startActiveSpan(options.name, { kind: kinds[options.kind], links }, parent, async (span) => {
    try {
      return await work(format(span))
    } catch (error) {
      // The name only: messages may quote what was sent.
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' })
      throw error
    } finally {
      span.end()
    }
  })
}

/** The traceparent of the active span, where there is one. */
export function activeTraceparent(): string | undefined {
  if (!telemetryIsOn) return undefined
  const span = trace.getActiveSpan()
  return span && format(span)
}

/** Headers for a call outside: none where the instrumentation adds its own. */
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
