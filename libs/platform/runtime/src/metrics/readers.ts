/**
 * The readers that collect metrics: always Prometheus through the health listener, and OTLP if telemetry is on. Both
 * belong to one MeterProvider, so each sees our metrics and those of the instrumentations.
 */

import { OTLPMetricExporter as GrpcExporter } from '@opentelemetry/exporter-metrics-otlp-grpc'
import { OTLPMetricExporter as JsonExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter as ProtobufExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import {
  AggregationType,
  type MetricReader,
  PeriodicExportingMetricReader,
  type ViewOptions,
} from '@opentelemetry/sdk-metrics'
import { createProducer } from './producer.ts'
import { createPrometheusReader } from './prometheus-reader.ts'

/**
 * The metric views for NodeSDK. Requests, statements and calls are already measured here, by names instead of
 * addresses. Only the runtime's instrumentation adds information. A second `http.server.request.duration` would make
 * both metrics wrong.
 */
export const metricViews: readonly ViewOptions[] = ['http', 'undici', 'pg'].map((name) => ({
  meterName: `@opentelemetry/instrumentation-${name}`,
  aggregation: { type: AggregationType.DROP },
}))

/** With OTEL_METRICS_EXPORTER=none, metrics are not exported over OTLP; `/metrics` remains. */
export function createMetricReaders(env: NodeJS.ProcessEnv = process.env): MetricReader[] {
  const exporters = (env['OTEL_METRICS_EXPORTER'] ?? 'otlp').split(',').map((name) => name.trim())
  return exporters.includes('otlp') ? [createPrometheusReader(), createOtlpReader(env)] : [createPrometheusReader()]
}

function createOtlpReader(env: NodeJS.ProcessEnv): MetricReader {
  const exportIntervalMillis = Number(env['OTEL_METRIC_EXPORT_INTERVAL'] || 60_000)
  const exportTimeoutMillis = Number(env['OTEL_METRIC_EXPORT_TIMEOUT'] || 30_000)
  return new PeriodicExportingMetricReader({
    exporter: createExporter(env['OTEL_EXPORTER_OTLP_METRICS_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL']),
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(exportTimeoutMillis, exportIntervalMillis),
    metricProducers: [createProducer({ name: (name) => name, label: (label) => label })],
  })
}

function createExporter(protocol: string | undefined) {
  if (protocol === 'grpc') return new GrpcExporter()
  return protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter()
}
