/**
 * Preloaded by every service (`node --import @financial-agents/runtime/telemetry`), before anything it patches is
 * loaded. With OTEL_EXPORTER_OTLP_ENDPOINT set it exports traces and metrics over OTLP; without, it loads nothing and
 * costs nothing. Everything else is OpenTelemetry's own environment (OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER, …).
 */

import { register } from 'node:module'
import { onShutdown } from './telemetry-shutdown.ts'

const endpointVariables = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']

if (endpointVariables.some((name) => process.env[name])) await start()

async function start(): Promise<void> {
  // What a patched module is worth: requests, statements, provider calls, and trace ids in the log.
  process.env.OTEL_NODE_ENABLED_INSTRUMENTATIONS ??= 'http,pg,undici,pino,runtime-node'
  process.env.OTEL_METRICS_EXPORTER ??= 'otlp'
  process.env.OTEL_LOGS_EXPORTER ??= 'none'
  process.env.OTEL_NODE_RESOURCE_DETECTORS ??= 'env,host,process'
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url)
  const [{ NodeSDK }, { getNodeAutoInstrumentations }] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/auto-instrumentations-node'),
  ])
  const sdk = new NodeSDK({
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
