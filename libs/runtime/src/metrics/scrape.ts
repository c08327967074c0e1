/** What `/metrics` answers. Loaded when it is first asked for, so that a process that nobody scrapes pays nothing. */

import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { createPrometheusReader, findPrometheusReader, readText } from './prometheus-reader.ts'

/** As Prometheus names its text format. */
export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8'

/** The metrics of this process as text. @param service its name, for every series */
export function scrape(service: string): Promise<string> {
  return readText(findPrometheusReader() ?? createReader(), service)
}

function createReader() {
  const reader = createPrometheusReader()
  // A reader collects from its provider and from its producers; nothing but the latter has metrics here.
  void new MeterProvider({ readers: [reader] })
  return reader
}
