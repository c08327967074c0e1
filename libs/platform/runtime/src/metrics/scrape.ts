/** The answer to `/metrics`. The first request loads this module, so a process without scrapes pays nothing. */

import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { createPrometheusReader, findPrometheusReader, readText } from './prometheus-reader.ts'

/** The content type of Prometheus's text format. */
export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * Returns the metrics of this process as text.
 * @param service the service's name, a label of every series
 */
export function scrape(service: string): Promise<string> {
  return readText(findPrometheusReader() ?? createReader(), service)
}

function createReader() {
  const reader = createPrometheusReader()
  // A reader collects from its provider and its producers. Here only the producers have metrics.
  void new MeterProvider({ readers: [reader] })
  return reader
}
