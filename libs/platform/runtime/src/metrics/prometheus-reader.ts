/**
 * The reader for `/metrics`. A service has one: the reader that the preloaded telemetry created, or one that the first
 * scrape creates.
 */

import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { MetricReader } from '@opentelemetry/sdk-metrics'
import { perInstance } from '../instance.ts'
import { prometheusLabel, prometheusName } from './metric-row.ts'
import { createProducer } from './producer.ts'

const current = perInstance('prometheus-reader', (): { reader?: MetricReader } => ({}))

/** The reader of the current service, if it exists. */
export function findPrometheusReader(): MetricReader | undefined {
  return current().reader
}

/** The reader opens no port: the health listener calls it. */
export function createPrometheusReader(): MetricReader {
  const reader = new PrometheusExporter({
    preventServerStart: true,
    metricProducers: [createProducer({ name: prometheusName, label: prometheusLabel })],
  })
  current().reader = reader
  return reader
}

/** Every series carries the service's name. */
export async function readText(reader: MetricReader, service: string): Promise<string> {
  const serializer = new PrometheusSerializer('', false, /^service\.name$/, true, true)
  const { resourceMetrics } = await reader.collect()
  const resource = resourceFromAttributes({ 'service.name': service })
  return serializer.serialize({ ...resourceMetrics, resource })
}
