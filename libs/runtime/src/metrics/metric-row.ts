/** What a row of the metric table says, and how its names are written for OpenTelemetry and for Prometheus. */

/** One metric. Its name is the table's key, as OpenTelemetry writes it; Prometheus's follows from it. */
export type MetricRow = {
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** UCUM, as OpenTelemetry wants it: `s`, `1` for ratios, `{thing}` for counts. */
  readonly unit: string
  /** Every value of each is one of a closed set: never an id, a path or a client. */
  readonly labels: readonly string[]
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[]
  readonly meaning: string
  /** Which processes tell it. */
  readonly from: string
}

/** Buckets for what a client waits for. */
export const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** Buckets for calls inside, of which nobody asks for fine shades. */
export const callBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

const suffixes: Readonly<Record<string, string>> = { s: '_seconds', '1': '_ratio', By: '_bytes' }

/** The name on `/metrics`, which is also what a collector makes of the OTLP one: unit and, for counters, `_total` at its end. */
export function prometheusName(name: string, row: Pick<MetricRow, 'type' | 'unit'>): string {
  const total = row.type === 'counter' ? '_total' : ''
  return `${prometheusLabel(name)}${suffixes[row.unit] ?? ''}${total}`
}

/** A label as Prometheus writes it. */
export function prometheusLabel(label: string): string {
  return label.replaceAll('.', '_')
}
