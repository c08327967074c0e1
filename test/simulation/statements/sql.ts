/** SQL features that the in-memory models need: times, orders, recordsets, and the two ways of locking rows. */

import type { Row, Steps, Transaction } from '../virtual/tables.ts'

export const date = (value: unknown): Date => (value instanceof Date ? value : new Date(value as string))
export const dateOrNull = (value: unknown): Date | null => (value === null || value === undefined ? null : date(value))
export const time = (value: unknown): number => date(value).getTime()
export const latest = (...values: unknown[]): Date =>
  new Date(Math.max(...values.filter((value) => value !== null && value !== undefined).map(time)))
export const orNull = <Value>(value: Value | undefined): Value | null => value ?? null

/** `unnest($1, $2, …)`: one row per item, with the columns' names. */
export function unnest(names: readonly string[], values: readonly unknown[]): Row[] {
  const [first] = values
  return (first as unknown[]).map((_, index) =>
    Object.fromEntries(names.map((name, column) => [name, orNull((values[column] as unknown[])[index])])),
  )
}

/** `jsonb_to_recordset($1)`: absent members are null. */
export function recordset(text: unknown, names: readonly string[]): Row[] {
  const items = JSON.parse(text as string) as Row[]
  return items.map((item) => Object.fromEntries(names.map((name) => [name, orNull(item[name])])))
}

export const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, orNull(row[name])]))

/** Sorts by these columns, ascending; text by code points. */
export function by(...columns: string[]): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const column of columns) {
      const [one, other] = [sortable(a[column]), sortable(b[column])]
      if (one < other) return -1
      if (one > other) return 1
    }
    return 0
  }
}

function sortable(value: unknown): string | number {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'number' ? value : String(value)
}

/**
 * `… FOR UPDATE SKIP LOCKED LIMIT n`: takes rows in order that no other transaction has locked and that still meet the
 * condition.
 */
export function* takeSkippingLocked(
  tx: Transaction,
  table: string,
  options: { where: (row: Row) => boolean; order: (a: Row, b: Row) => number; limit: number },
): Steps<Row[]> {
  const taken: Row[] = []
  for (const found of tx.all(table).filter(options.where).toSorted(options.order)) {
    if (taken.length >= options.limit) break
    const key = tx.table(table).keyOf(found)
    if (tx.isLockedByOther(table, key)) continue
    const row = yield* tx.lock(table, key)
    if (row && options.where(row)) taken.push(row)
  }
  return taken
}

/** `SELECT … WHERE … ORDER BY … FOR UPDATE`: checks the condition again once each row's lock is acquired. */
export function* lockWhere(
  tx: Transaction,
  table: string,
  where: (row: Row) => boolean,
  order: (a: Row, b: Row) => number,
): Steps<Row[]> {
  const locked: Row[] = []
  for (const found of tx.all(table).filter(where).toSorted(order)) {
    const row = yield* tx.lock(table, tx.table(table).keyOf(found))
    if (row && where(row)) locked.push(row)
  }
  return locked
}

/** In-memory model of `pruneByAge` in libs/platform/postgres. */
export function pruneModel(table: string, column: string, condition: (row: Row) => boolean = () => true) {
  return function* (tx: Transaction, [before, limit]: readonly unknown[]): Steps<Row[]> {
    const old = yield* takeSkippingLocked(tx, table, {
      where: (row) => row[column] !== null && time(row[column]) < time(before) && condition(row),
      order: by(column),
      limit: limit as number,
    })
    for (const row of old) tx.remove(table, tx.table(table).keyOf(row))
    return [{ count: old.length }]
  }
}
