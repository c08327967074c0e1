/**
 * The telemetry preload of every service (`node --import @financial-agents/runtime/telemetry`). It must run before the
 * modules that it patches are loaded. With OTEL_EXPORTER_OTLP_ENDPOINT set, it exports traces and metrics over OTLP;
 * without, it loads nothing. All other settings are OpenTelemetry's own variables (OTEL_SERVICE_NAME,
 * OTEL_TRACES_SAMPLER, …). Images preload a bundle of `telemetry-sdk.ts` instead, because a bundle has no modules to
 * hook.
 */

import { register } from 'node:module'
import { telemetryIsOn } from './telemetry-is-on.ts'

if (telemetryIsOn) {
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url)
  const { startTelemetry } = await import('./telemetry-sdk.ts')
  startTelemetry()
}
