/** In-memory models of the operations service's statements about transfers and the days in which they are reserved. */

import { BigNumber } from 'bignumber.js'
import type { Models } from '../virtual/database.ts'
import type { Row, Steps, TablePlan, Transaction } from '../virtual/tables.ts'
import { by, date, pick, recordset, time, unnest } from './sql.ts'

export const transfersTables = {
  transfers: { key: ['id'], unique: { operation_id: ['operation_id'] } },
  ceiling_days: {
    key: ['owner_id', 'client_id', 'currency', 'day'],
    refuses: (row) => (new BigNumber(row.reserved as string).isNegative() ? 'reserved' : undefined),
  },
} as const satisfies Record<string, TablePlan>

const place = ['owner_id', 'client_id', 'currency', 'day']

const columns = [
  'id',
  'operation_id',
  'owner_id',
  'client_id',
  'mandate_id',
  'beneficiary_id',
  'amount',
  'currency',
  'rule',
  'reference',
]

/** Adds the amounts of transfers to their days, or subtracts them. Each day is changed once, under its lock. */
function* move(tx: Transaction, transfers: readonly Row[], sign: 1 | -1): Steps<void> {
  const keyOf = (row: Row) => tx.table('ceiling_days').keyOf(row)
  const sums = new Map<string, BigNumber>()
  for (const row of transfers) sums.set(keyOf(row), new BigNumber(row.amount as string).plus(sums.get(keyOf(row)) ?? 0))
  const days = [...new Map(transfers.map((row) => [keyOf(row), row])).values()].toSorted(by(...place))
  for (const key of days.map(keyOf)) {
    const day = yield* tx.lock('ceiling_days', key)
    const change = (sums.get(key) ?? new BigNumber(0)).times(sign)
    if (day) tx.update('ceiling_days', key, { reserved: change.plus(day.reserved as string).toFixed() })
  }
}

/** The row with columns of its operation; nothing if the operation belongs to another subject. */
function shown(tx: Transaction, row: Row, subject: unknown): Row[] {
  const operation = tx.get('operations', row.operation_id as string)
  if (operation?.subject !== subject) return []
  const own = columns.filter((name) => name !== 'reference' && name !== 'owner_id' && name !== 'client_id')
  const ofOperation = pick(operation ?? {}, ['kind', 'state', 'upstream_reference', 'updated_at'])
  return [{ ...pick(row, [...own, 'reference_sealed', 'created_at']), ...ofOperation }]
}

export const transfersModels: Models = {
  *open_ceiling_days(tx, [text]) {
    for (const item of recordset(text, place).toSorted(by(...place)))
      yield* tx.insert('ceiling_days', { ...item, reserved: '0' }, 'nothing')
    return []
  },
  *lock_ceiling_days(tx, [text]) {
    const locked: Row[] = []
    for (const item of recordset(text, place).toSorted(by(...place))) {
      const row = yield* tx.lock('ceiling_days', tx.table('ceiling_days').keyOf(item))
      if (row) locked.push(pick(row, [...place, 'reserved']))
    }
    return locked
  },
  *read_ceiling_day(tx, values) {
    const item = Object.fromEntries(place.map((name, index) => [name, values[index]]))
    const row = tx.get('ceiling_days', tx.table('ceiling_days').keyOf(item))
    return row ? [pick(row, ['reserved'])] : []
  },
  *insert_transfers(tx, values) {
    const [day, now] = [values[10], date(values[11])]
    const written = unnest(columns, values).map(({ reference, ...item }) => ({
      ...item,
      amount: new BigNumber(item.amount as string).toFixed(),
      reference_sealed: reference === null ? null : Buffer.from(reference as string, 'base64'),
      day,
      released_at: null,
      created_at: now,
    }))
    for (const row of written) yield* tx.insert('transfers', row)
    yield* move(tx, written, 1)
    return []
  },
  *list_payments(tx, [ids]) {
    const named = (row: Row) => (ids as string[]).includes(row.operation_id as string)
    const listed = ['operation_id', 'id', ...place, 'mandate_id', 'beneficiary_id', 'amount']
    return tx
      .all('transfers')
      .filter(named)
      .map((row) => pick(row, listed))
  },
  *find_transfer(tx, [owner, client, subject, id]) {
    const row = tx.get('transfers', id as string)
    return row && row.owner_id === owner && row.client_id === client ? shown(tx, row, subject) : []
  },
  *list_transfers(tx, values) {
    const [owner, client, subject, after, before, at, id, mandate, beneficiary, state, limit] = values
    const is = (asked: unknown, value: unknown) => asked === null || asked === value
    const isBefore = (row: Row) =>
      at === null ||
      time(row.created_at) < time(at) ||
      (time(row.created_at) === time(at) && String(row.id) < String(id))
    return tx
      .all('transfers')
      .filter((row) => row.owner_id === owner && row.client_id === client && isBefore(row))
      .filter((row) => after === null || time(row.created_at) > time(after))
      .filter((row) => before === null || time(row.created_at) < time(before))
      .filter((row) => is(mandate, row.mandate_id) && is(beneficiary, row.beneficiary_id))
      .toSorted((a, b) => by('created_at', 'id')(b, a))
      .flatMap((row) => shown(tx, row, subject))
      .filter((row) => is(state, row.state))
      .slice(0, limit as number)
  },
  *release_transfers(tx, [ids, at]) {
    const named = (row: Row) => (ids as string[]).includes(row.operation_id as string) && row.released_at === null
    const released: Row[] = []
    for (const { id } of tx.all('transfers').filter(named)) {
      const row = yield* tx.lock('transfers', id as string)
      if (!row || !named(row)) continue
      released.push(tx.update('transfers', id as string, { released_at: date(at) }))
    }
    yield* move(tx, released, -1)
    return []
  },
}
