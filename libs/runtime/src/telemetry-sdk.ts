/**
 * OpenTelemetry, started: the patches that are worth their price here, and the readers of metrics. Loaded by the preload
 * where an OTLP endpoint is set, and by nothing else. Fastify is not patched: its hooks would take time of every request
 * at the gateway, and what they would say is there: requests as http spans, routes as metrics, and what follows as spans
 * of the bus, of statements and of provider calls.
 */

import { getNodeAutoInstrumentations } from '@opentelemetry/auto-instrumentations-node'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { createMetricReaders, metricViews } from './metrics/readers.ts'
import { instrumentations } from './telemetry-instrumentations.ts'
import { onShutdown } from './telemetry-shutdown.ts'

/** Starts it at once, so that whatever is loaded afterwards is patched. */
export function startTelemetry(): void {
  process.env.OTEL_NODE_ENABLED_INSTRUMENTATIONS ??= instrumentations.join(',')
  process.env.OTEL_METRICS_EXPORTER ??= 'otlp'
  process.env.OTEL_LOGS_EXPORTER ??= 'none'
  process.env.OTEL_NODE_RESOURCE_DETECTORS ??= 'env,host,process'
  const sdk = new NodeSDK({
    metricReaders: createMetricReaders(),
    views: [...metricViews],
    instrumentations: [
      getNodeAutoInstrumentations({
        // Statements are named and their values are never part of a span.
        '@opentelemetry/instrumentation-pg': { enhancedDatabaseReporting: false, requireParentSpan: true },
        '@opentelemetry/instrumentation-undici': { requireParentforSpans: true },
        '@opentelemetry/instrumentation-pino': { disableLogSending: true },
      }),
    ],
  })
  sdk.start()
  onShutdown(() => sdk.shutdown())
}
