/** The row type of the metric table, and the names of metrics and labels in OpenTelemetry and in Prometheus. */

/** One metric. Its key in the table is its OpenTelemetry name; the Prometheus name is derived from it. */
export type MetricRow = {
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** The unit in UCUM, as OpenTelemetry requires: `s`, `1` for ratios, `{thing}` for counts. */
  readonly unit: string
  /** The label names. The values of a label are a closed set: never an id, a path or a client. */
  readonly labels: readonly string[]
  /** The upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[]
  readonly meaning: string
  /** The processes that report the metric. */
  readonly from: string
}

/** Buckets for the duration of client requests. */
export const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** Buckets for internal calls, which need less precision. */
export const callBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** Buckets for the life of an operation, from what a good provider needs to three days. */
export const lifeBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600, 86_400, 259_200] as const

const suffixes: Readonly<Record<string, string>> = { s: '_seconds', '1': '_ratio', By: '_bytes' }

/**
 * The name on `/metrics`, with the unit and, for counters, `_total` as suffixes. Collectors derive the same name from
 * OTLP.
 */
export function prometheusName(name: string, row: Pick<MetricRow, 'type' | 'unit'>): string {
  const total = row.type === 'counter' ? '_total' : ''
  return `${prometheusLabel(name)}${suffixes[row.unit] ?? ''}${total}`
}

/** The label as Prometheus writes it. */
export function prometheusLabel(label: string): string {
  return label.replaceAll('.', '_')
}
