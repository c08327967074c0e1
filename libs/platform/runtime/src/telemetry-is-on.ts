/** Tells if telemetry is on. The preload of every process loads this file, so it imports nothing. */

/** True if the environment sets an OTLP endpoint, so that the preload has started OpenTelemetry. */
export const telemetryIsOn = Boolean(
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT || process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
)
