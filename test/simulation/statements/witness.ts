/** In-memory models of the statements of the witness. The tables are part of every guarded schema. */

import type { Models } from '../virtual/database.ts'
import { type Row, SqlError, type Steps, type TablePlan, type Transaction } from '../virtual/tables.ts'
import { dateOrNull, latest, pick } from './sql.ts'

export const witnessTables = {
  witness: { key: ['singleton'], refuses: (row) => (row.made === null ? 'no id' : undefined) },
  witness_marks: { key: ['writer'] },
} as const satisfies Record<string, TablePlan>

const only = 'true'

/** The function `mark` of the schema: counts a transaction, or refuses it. */
export function* countMark(tx: Transaction, [writer, number, sequence]: readonly unknown[]): Steps<void> {
  const isCounted = (row: Row | undefined) =>
    row !== undefined && row.epoch === tx.store.epoch && (row.number as number) < (number as number)
  const refused = new SqlError('FA001', 'this database is not known to be the newest')
  if (!isCounted(tx.get('witness_marks', writer as string))) throw refused
  if (!isCounted(yield* tx.lock('witness_marks', writer as string))) throw refused
  tx.update('witness_marks', writer as string, { number, sequence, marked_at: new Date() })
}

/** INSERT of the only row, or its change if `where` allows it. */
function* upsert(
  tx: Transaction,
  row: Row,
  change: (before: Row) => Row,
  where: (before: Row) => boolean = () => true,
): Steps<Row[]> {
  const whole = { singleton: true, verified_epoch: null, epoch_sequence: 0, recovery_point: null, ...row }
  if (yield* tx.insert('witness', whole, 'nothing')) return [whole]
  const before = yield* tx.lock('witness', only)
  return before && where(before) ? [tx.update('witness', only, change(before))] : []
}

const larger = (one: unknown, other: unknown) => Math.max(one as number, other as number)

export const witnessModels: Models = {
  *witness_find(tx) {
    const row = tx.get('witness', only) ?? {}
    return [{ epoch: tx.store.epoch, ...pick(row, ['verified_epoch', 'made', 'epoch_sequence']) }]
  },
  *witness_find_marks(tx, [writers]) {
    const rows = tx.all('witness_marks').filter((row) => (writers as unknown[]).includes(row.writer))
    return rows.map((row) => pick(row, ['writer', 'number', 'sequence']))
  },
  *witness_last_mark(tx) {
    const times = tx.all('witness_marks').map((row) => row.marked_at)
    return [{ marked_at: times.length === 0 ? null : latest(...times) }]
  },
  *witness_durable() {
    return [{}]
  },
  *witness_add_writers(tx, [writers, epoch]) {
    for (const writer of writers as string[])
      yield* tx.insert('witness_marks', { writer, epoch, number: 1, sequence: 0, marked_at: new Date() })
    return []
  },
  *witness_set_verified(tx, [epoch, sequence, made]) {
    const isOwn = (row: Row | undefined) => row?.made === made && tx.store.epoch === epoch
    if (!isOwn(tx.get('witness', only))) return []
    const row = yield* tx.lock('witness', only)
    if (!row || !isOwn(row)) return []
    const change = { verified_epoch: epoch, epoch_sequence: larger(row.epoch_sequence, sequence) }
    return [pick(tx.update('witness', only, change), ['recovery_point'])]
  },
  *witness_set_seen(tx, [made, sequence]) {
    if (tx.get('witness', only)?.made !== made) return []
    const row = yield* tx.lock('witness', only)
    if (row && row.made === made) tx.update('witness', only, { epoch_sequence: larger(row.epoch_sequence, sequence) })
    return []
  },
  *witness_set_made(tx, [epoch, made, before]) {
    if (tx.store.epoch !== epoch) return []
    const change = { made, epoch_sequence: 0 }
    const rows = yield* upsert(
      tx,
      { made, verified_epoch: epoch },
      () => change,
      (row) => row.made === before,
    )
    return rows.map((row) => pick(row, ['made']))
  },
  *witness_set_recovery_point(tx, [epoch, point, made]) {
    if (tx.store.epoch !== epoch) return []
    const recovery_point = dateOrNull(point)
    const rows = yield* upsert(tx, { made, recovery_point }, (row) => ({
      made,
      verified_epoch: null,
      epoch_sequence: 0,
      recovery_point: latest(row.recovery_point, recovery_point),
    }))
    return rows.map((row) => pick(row, ['made']))
  },
  *witness_set_recovered(tx, [epoch, made]) {
    const isOwn = (row: Row | undefined) => row?.made === made && tx.store.epoch === epoch
    if (!isOwn(tx.get('witness', only))) return []
    if (isOwn(yield* tx.lock('witness', only))) tx.update('witness', only, { verified_epoch: epoch })
    return []
  },
  *test_add_writer(tx, [writer]) {
    const { epoch } = tx.store
    yield* tx.insert('witness_marks', { writer, epoch, number: 1, sequence: 0, marked_at: new Date() })
    return []
  },
}
