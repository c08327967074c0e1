/**
 * OpenTelemetry, started: the patches that are worth their price here, and the readers of metrics. Loaded by the preload
 * where an OTLP endpoint is set, and by nothing else. Fastify is not patched: the gateway and the consoles name their
 * routes themselves, and what follows a request shows as spans of the bus, of statements and of provider calls.
 */

import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { PinoInstrumentation } from '@opentelemetry/instrumentation-pino'
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { createMetricReaders } from './metrics/readers.ts'
import { onShutdown } from './telemetry-shutdown.ts'

/** Starts it at once, so that whatever is loaded afterwards is patched. */
export function startTelemetry(): void {
  process.env.OTEL_METRICS_EXPORTER ??= 'otlp'
  process.env.OTEL_LOGS_EXPORTER ??= 'none'
  process.env.OTEL_NODE_RESOURCE_DETECTORS ??= 'env,host,process'
  const sdk = new NodeSDK({
    metricReaders: createMetricReaders(),
    instrumentations: [
      new HttpInstrumentation(),
      // Statements are named and their values are never part of a span.
      new PgInstrumentation({ enhancedDatabaseReporting: false, requireParentSpan: true }),
      new UndiciInstrumentation({ requireParentforSpans: true }),
      new PinoInstrumentation({ disableLogSending: true }),
      new RuntimeNodeInstrumentation(),
    ],
  })
  sdk.start()
  onShutdown(() => sdk.shutdown())
}
