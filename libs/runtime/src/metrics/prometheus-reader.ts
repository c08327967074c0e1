/**
 * The reader behind `/metrics`. There is one in a process: the one that telemetry made where it was preloaded, else one that
 * is made when somebody first asks.
 */

import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { MetricReader } from '@opentelemetry/sdk-metrics'
import { prometheusLabel, prometheusName } from './metric-row.ts'
import { createProducer } from './producer.ts'

const key = Symbol.for('financial-agents.prometheus-reader')
const shared = globalThis as { [key]?: MetricReader }

/** The reader of this process, if there is one yet. */
export function findPrometheusReader(): MetricReader | undefined {
  return shared[key]
}

/** Makes it. It listens nowhere: the health listener asks it. */
export function createPrometheusReader(): MetricReader {
  const reader = new PrometheusExporter({
    preventServerStart: true,
    metricProducers: [createProducer({ name: prometheusName, label: prometheusLabel })],
  })
  shared[key] = reader
  return reader
}

/** Prometheus's text format, every series with the name of its service. */
export async function readText(reader: MetricReader, service: string): Promise<string> {
  const serializer = new PrometheusSerializer('', false, /^service\.name$/, true, true)
  const { resourceMetrics } = await reader.collect()
  const resource = resourceFromAttributes({ 'service.name': service })
  return serializer.serialize({ ...resourceMetrics, resource })
}
