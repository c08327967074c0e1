/**
 * Stores measurements until they are collected: plain numbers in maps. A measurement takes a fraction of a microsecond;
 * with the SDK's own instruments it takes more than two (decisions/0001). Each running service has one registry.
 *
 * Invariant: memory is bounded. A metric has at most `maxSeries` series; further label values count as `other`.
 */

import { perInstance } from '../instance.ts'
import type { MetricRow } from './metric-row.ts'
import { type MetricName, metricTable } from './table.ts'

/**
 * One series of a metric. For a histogram, `counts` has one entry more than there are buckets; otherwise it is empty.
 */
export type Cell = { readonly labels: readonly string[]; value: number; count: number; readonly counts: number[] }

/** The series of a metric: as a list, and as a tree by label values in the table's order. */
export type Cells = { readonly row: MetricRow; readonly all: Cell[]; readonly tree: Tree; other: Cell | undefined }

type Tree = Map<string, Tree | Cell>
type Labels = Readonly<Record<string, string>>

/** Reports figures when metrics are collected. */
export type Observer = (report: (name: MetricName, value: number, labels: Labels) => void) => Promise<void> | void

export type Registry = { readonly cells: Map<MetricName, Cells>; readonly observers: Set<Observer> }

/**
 * The limit of series per metric. The largest metric, the gateway's durations, has about 80 routes with a few status
 * codes each.
 */
export const maxSeries = 1_000

export const registry = perInstance('metrics', (): Registry => ({ cells: new Map(), observers: new Set() }))

/** Returns the cells of a metric, and creates them at the first use. */
export function cellsOf(name: MetricName): Cells {
  const { cells } = registry()
  const known = cells.get(name)
  if (known) return known
  const made = createCells(name)
  cells.set(name, made)
  return made
}

/** Creates cells that are not in the registry. */
export function createCells(name: MetricName): Cells {
  return { row: metricTable[name], all: [], tree: new Map(), other: undefined }
}

/** Returns the cell of these labels, and creates it at the first use. */
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
