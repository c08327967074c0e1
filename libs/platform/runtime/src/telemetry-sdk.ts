/**
 * Starts OpenTelemetry with the chosen instrumentations and the metric readers. Only the preload loads this module, and
 * only if an OTLP endpoint is set. Fastify is not instrumented: its hooks would slow every request at the gateway and
 * add nothing. Requests are already HTTP spans, routes are metrics, and the bus, statements and provider calls have
 * spans of their own.
 */

import { getNodeAutoInstrumentations } from '@opentelemetry/auto-instrumentations-node'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { createMetricReaders, metricViews } from './metrics/readers.ts'
import { instrumentations } from './telemetry-instrumentations.ts'
import { onShutdown } from './telemetry-shutdown.ts'

/** Parameters of addresses whose values no span shows. */
const secretParameters = ['code', 'state', 'user_code', 'request_uri', 'client_assertion', 'id_token_hint', 'token']

/** Starts OpenTelemetry at once, so that modules loaded later are patched. */
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
        // An address may have a secret for a moment: the return of a sign-in, the code of a device.
        '@opentelemetry/instrumentation-http': { redactedQueryParamsServer: [...secretParameters] },
        // Spans show the names of statements and never their values.
        '@opentelemetry/instrumentation-pg': { enhancedDatabaseReporting: false, requireParentSpan: true },
        '@opentelemetry/instrumentation-undici': { requireParentforSpans: true },
        '@opentelemetry/instrumentation-pino': { disableLogSending: true },
      }),
    ],
  })
  sdk.start()
  onShutdown(() => sdk.shutdown())
}
