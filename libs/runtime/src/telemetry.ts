/**
 * Preloaded by every service (`node --import @financial-agents/runtime/telemetry`), before anything it patches is
 * loaded. With OTEL_EXPORTER_OTLP_ENDPOINT set it exports traces and metrics over OTLP; without, it loads nothing and
 * costs nothing. Everything else is OpenTelemetry's own environment (OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER, …). Images
 * preload a bundle of `telemetry-sdk.ts` instead: there are no modules to hook in them.
 */

import { register } from 'node:module'
import { telemetryIsOn } from './trace.ts'

if (telemetryIsOn) {
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url)
  const { startTelemetry } = await import('./telemetry-sdk.ts')
  startTelemetry()
}
