/**
 * The functions with which services measure. Names, labels and buckets come from the table; a metric that is not in the
 * table does not compile. Counters and histograms cost a tenth of a microsecond. Gauges are read only when metrics are
 * collected.
 */

import { cellOf, cellsOf, type Observer, registry } from './cells.ts'
import { type LabelsOf, metricTable, type NameOf } from './table.ts'

/** `by` is 1 by default. */
export type Counter<Name extends NameOf<'counter'>> = {
  add(labels: LabelsOf<Name>, by?: number): void
  /**
   * Shows these series with the value 0. A service calls it at its start for rare events with alerts: a series that
   * appears with the value 1 does not show an increase.
   */
  startAtZero(series: readonly LabelsOf<Name>[]): void
}

/** A gauge whose value the service itself raises and lowers. */
export type UpDown<Name extends NameOf<'gauge'>> = { add(labels: LabelsOf<Name>, by: number): void }

export type Histogram<Name extends NameOf<'histogram'>> = { record(value: number, labels: LabelsOf<Name>): void }

export type Figure = {
  [Name in NameOf<'gauge'>]: readonly [name: Name, value: number, labels: LabelsOf<Name>]
}[NameOf<'gauge'>]

/** The counter counts for the service in which this is called. */
export function counter<Name extends NameOf<'counter'>>(name: Name): Counter<Name> {
  // Shows the metric before its first series.
  cellsOf(name)
  return {
    add: (labels, by = 1) => {
      cellOf(cellsOf(name), labels).value += by
    },
    startAtZero: (series) => {
      for (const labels of series) cellOf(cellsOf(name), labels)
    },
  }
}

/** `observe` reports gauges that are read elsewhere. */
export function upDown<Name extends NameOf<'gauge'>>(name: Name): UpDown<Name> {
  cellsOf(name)
  return {
    add: (labels, by) => {
      cellOf(cellsOf(name), labels).value += by
    },
  }
}

export function histogram<Name extends NameOf<'histogram'>>(name: Name): Histogram<Name> {
  cellsOf(name)
  const { buckets } = metricTable[name]
  return {
    record: (value, labels) => {
      const cell = cellOf(cellsOf(name), labels)
      let bucket = 0
      while (bucket < buckets.length && value > (buckets[bucket] as number)) bucket += 1
      cell.counts[bucket] = (cell.counts[bucket] as number) + 1
      cell.value += value
      cell.count += 1
    },
  }
}

/** Reports figures whenever metrics are collected. Returns the function that stops the reports. */
export function observe(figures: () => readonly Figure[]): () => void {
  return add((report) => {
    for (const [name, value, labels] of figures()) report(name, value, labels)
  })
}

const keptMs = 10_000
const patienceMs = 2_000

/**
 * Reports figures that need an asynchronous read. They are read when metrics are collected, by one read at a time, and
 * cached for a while. If the read fails or takes too long, the figures are missing, and
 * `financial_agents.metrics.reading_failures` counts it.
 * @param options.name the name of the reading in that counter, from a closed set
 */
export function observeReading(options: {
  name: string
  read: () => Promise<readonly Figure[]>
  keepMs?: number
}): () => void {
  const { name, read, keepMs = keptMs } = options
  let kept: { figures: readonly Figure[]; untilMs: number } | undefined
  let reading: Promise<void> | undefined
  const readOnce = async () => {
    try {
      kept = { figures: await read(), untilMs: performance.now() + keepMs }
    } catch {
      kept = undefined
      failures.add({ reading: name })
    } finally {
      reading = undefined
    }
  }
  return add(async (report) => {
    if (!kept || performance.now() >= kept.untilMs) {
      reading ??= readOnce()
      if (!(await inTime(reading))) return failures.add({ reading: name })
    }
    for (const [metric, value, labels] of kept?.figures ?? []) report(metric, value, labels)
  })
}

const failures = counter('financial_agents.metrics.reading_failures')

async function inTime(work: Promise<void>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(late.resolve, patienceMs, false)
  return Promise.race([work.then(() => true), late.promise]).finally(() => clearTimeout(timer))
}

function add(observer: Observer): () => void {
  const { observers } = registry()
  observers.add(observer)
  return () => {
    observers.delete(observer)
  }
}
