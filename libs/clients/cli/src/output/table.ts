/** Tables for people. Cells are made plain; on a terminal long cells are shortened. */

import { padded, plain, shortened, widthOf } from './plain.ts'

export type Column<Item> = readonly [title: string, cell: (item: Item) => string | number | null | undefined]

const gap = '  '

/** The lines of a table; the first holds the titles. `cellWidth` bounds every cell. */
export function tableLines<Item>(
  columns: readonly Column<Item>[],
  items: readonly Item[],
  cellWidth = Infinity,
): string[] {
  const rows = items.map((item) => columns.map(([, cell]) => shortened(plain(String(cell(item) ?? '–')), cellWidth)))
  const titled = [columns.map(([title]) => title.toUpperCase()), ...rows]
  const widths = columns.map((_, index) => Math.max(...titled.map((row) => widthOf(row[index] ?? ''))))
  return titled.map((row) =>
    row
      .map((cell, index) => padded(cell, widths[index] ?? 0))
      .join(gap)
      .trimEnd(),
  )
}

/** The lines of one thing: a label and a value each. */
export function factLines(
  facts: readonly (readonly [label: string, value: string | number | null | undefined])[],
): string[] {
  const width = Math.max(...facts.map(([label]) => widthOf(label)))
  return facts.map(([label, value]) => `${padded(label, width)}${gap}${plain(String(value ?? '–'))}`.trimEnd())
}
