/**
 * Gives the cells to readers as OpenTelemetry data. A metric producer is the SDK's interface for values that were
 * aggregated elsewhere. This module is loaded only with a reader.
 */

import { type HrTime, ValueType } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import { type Cell, type Cells, cellOf, createCells, type Observer, registry } from './cells.ts'
import type { MetricRow } from './metric-row.ts'
import type { MetricName } from './table.ts'

const startTime = toHrTime(performance.timeOrigin)
/** @param written functions that write the names of metrics and labels */
export function createProducer(written: {
  name: (name: string, row: MetricRow) => string
  label: (label: string) => string
}): MetricProducer {
  return {
    collect: async (): Promise<CollectionResult> => {
      const series = await allSeries()
      const endTime = toHrTime(Date.now())
      const metrics = Array.from(series, ([name, cells]) => toData(name, cells, endTime, written))
      const scopeMetrics = [{ scope: { name: 'financial-agents' }, metrics }]
      return { resourceMetrics: { resource: resourceFromAttributes({}), scopeMetrics }, errors: [] }
    },
  }
}

/** Returns the counted series, and the observed ones as of now. A failing observer is left out. */
async function allSeries(): Promise<Map<MetricName, Cells>> {
  const observed = new Map<MetricName, Cells>()
  const report: Parameters<Observer>[0] = (name, value, labels) => {
    const cells = observed.get(name) ?? createCells(name)
    observed.set(name, cells)
    if (Number.isFinite(value)) cellOf(cells, labels).value = value
  }
  const { cells, observers } = registry()
  await Promise.allSettled(Array.from(observers, async (observer) => observer(report)))
  return new Map([...cells, ...observed])
}

function toData(
  name: MetricName,
  { row, all }: Cells,
  endTime: HrTime,
  written: Parameters<typeof createProducer>[0],
): MetricData {
  const labels = row.labels.map(written.label)
  const points = <Value>(valueOf: (cell: Cell) => Value): DataPoint<Value>[] =>
    all.map((cell) => ({
      startTime,
      endTime,
      attributes: Object.fromEntries(labels.map((label, index) => [label, cell.labels[index] ?? ''])),
      value: valueOf(cell),
    }))
  const common = {
    descriptor: {
      name: written.name(name, row),
      description: row.meaning,
      unit: row.unit,
      valueType: ValueType.DOUBLE,
    },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  if (row.type === 'gauge')
    return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: points((cell) => cell.value) }
  if (row.type === 'counter')
    return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points((cell) => cell.value) }
  const boundaries = [...(row.buckets ?? [])]
  return {
    ...common,
    dataPointType: DataPointType.HISTOGRAM,
    dataPoints: points(({ counts, count, value }) => ({
      buckets: { boundaries, counts: [...counts] },
      count,
      sum: value,
    })),
  }
}

function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)]
}
