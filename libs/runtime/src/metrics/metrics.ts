/**
 * How the services measure. Names, labels and buckets come from the table, so that a metric that is not in it does not compile.
 * Counters and histograms cost a tenth of a microsecond; gauges are asked only when somebody collects.
 */

import { cellOf, cellsOf, type Observer, registry } from './cells.ts'
import { type LabelsOf, metricTable, type NameOf } from './table.ts'

/** Counts. `by` is 1 unless said otherwise. */
export type Counter<Name extends NameOf<'counter'>> = { add(labels: LabelsOf<Name>, by?: number): void }

/** Counts into buckets. */
export type Histogram<Name extends NameOf<'histogram'>> = { record(value: number, labels: LabelsOf<Name>): void }

/** One figure of a reading. */
export type Figure = {
  [Name in NameOf<'gauge'>]: readonly [name: Name, value: number, labels: LabelsOf<Name>]
}[NameOf<'gauge'>]

/**
 * The counter of this name. Without labels it is there from the start, at 0; with labels as far as they are foreseen.
 * @param foreseen what is rare and watched for: a series that begins at 1 does not show that anything grew
 */
export function counter<Name extends NameOf<'counter'>>(
  name: Name,
  foreseen: readonly LabelsOf<Name>[] = [],
): Counter<Name> {
  const cells = cellsOf(name)
  for (const labels of foreseen) cellOf(cells, labels)
  if (metricTable[name].labels.length === 0) cellOf(cells, {})
  return {
    add: (labels, by = 1) => {
      cellOf(cells, labels).value += by
    },
  }
}

/** The histogram of this name. */
export function histogram<Name extends NameOf<'histogram'>>(name: Name): Histogram<Name> {
  const cells = cellsOf(name)
  const { buckets } = metricTable[name]
  return {
    record: (value, labels) => {
      const cell = cellOf(cells, labels)
      let bucket = 0
      while (bucket < buckets.length && value > (buckets[bucket] as number)) bucket += 1
      cell.counts[bucket] = (cell.counts[bucket] as number) + 1
      cell.value += value
      cell.count += 1
    },
  }
}

/** Tells figures whenever somebody collects, until what it returns is called. */
export function observe(figures: () => readonly Figure[]): () => void {
  return add((report) => {
    for (const [name, value, labels] of figures()) report(name, value, labels)
  })
}

const keptMs = 10_000
const patienceMs = 2_000

/**
 * Tells figures that have to be read: asked for only when somebody collects, once at a time, and kept for a while. Where they
 * cannot be read in time they are missing, and `financial_agents.metrics.reading_failures` says which.
 * @param options.name one of a closed set, for that counter
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
  registry.observers.add(observer)
  return () => {
    registry.observers.delete(observer)
  }
}
