/**
 * Where measurements are kept until somebody collects them: plain numbers in maps, a fraction of a microsecond each, where the
 * SDK's own instruments take more than two (decisions/0001). One registry for the process, found by a symbol: the preloaded
 * telemetry and the service are bundled apart and have this module twice.
 *
 * Invariant: memory is bounded: a metric has at most `maxSeries` series, and what goes beyond counts as `other`.
 */

import type { MetricRow } from './metric-row.ts'
import { type MetricName, metricTable } from './table.ts'

/** One series of a metric. `counts` has one entry more than the metric has buckets, and none where it is no histogram. */
export type Cell = { readonly labels: readonly string[]; value: number; count: number; readonly counts: number[] }

/** The series of a metric: as a list, and as a tree by the values of its labels in the table's order. */
export type Cells = { readonly row: MetricRow; readonly all: Cell[]; readonly tree: Tree; other: Cell | undefined }

type Tree = Map<string, Tree | Cell>
type Labels = Readonly<Record<string, string>>

/** Reports what it sees at the moment of asking. */
export type Observer = (report: (name: MetricName, value: number, labels: Labels) => void) => Promise<void> | void

/** All cells and observers of a process. */
export type Registry = { readonly cells: Map<MetricName, Cells>; readonly observers: Set<Observer> }

/** Of each metric. The largest of ours, the gateway's durations, have about 80 routes with a handful of status codes. */
export const maxSeries = 1_000

const key = Symbol.for('financial-agents.metrics')
const shared = globalThis as { [key]?: Registry }

/** The registry of this process. */
export const registry: Registry = (shared[key] ??= { cells: new Map(), observers: new Set() })

/** The cells of a metric, made at its first use. */
export function cellsOf(name: MetricName): Cells {
  const known = registry.cells.get(name)
  if (known) return known
  const made = createCells(name)
  registry.cells.set(name, made)
  return made
}

/** Cells that nobody else sees. */
export function createCells(name: MetricName): Cells {
  return { row: metricTable[name], all: [], tree: new Map(), other: undefined }
}

/** The cell of these labels, made at its first use. */
export function cellOf(cells: Cells, labels: Labels): Cell {
  let node: Tree | Cell | undefined = cells.tree
  for (const label of cells.row.labels) {
    node = (node as Tree).get(labels[label] ?? '')
    if (node === undefined) return addCell(cells, labels)
  }
  return cells.row.labels.length === 0 ? (cells.all[0] ?? addCell(cells, labels)) : (node as Cell)
}

function addCell(cells: Cells, labels: Labels): Cell {
  const { row, all, tree } = cells
  if (all.length >= maxSeries)
    return (cells.other ??= push(
      cells,
      row.labels.map(() => 'other'),
    ))
  const values = row.labels.map((label) => labels[label] ?? '')
  const cell = push(cells, values)
  let node = tree
  for (const value of values.slice(0, -1)) {
    const next = (node.get(value) ?? new Map()) as Tree
    node.set(value, next)
    node = next
  }
  const last = values.at(-1)
  if (last !== undefined) node.set(last, cell)
  return cell
}

function push({ row, all }: Cells, labels: readonly string[]): Cell {
  const counts = row.buckets ? Array.from({ length: row.buckets.length + 1 }, () => 0) : []
  const cell: Cell = { labels, value: 0, count: 0, counts }
  all.push(cell)
  return cell
}
