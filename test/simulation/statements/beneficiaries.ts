/** In-memory models of the beneficiaries area's own statements, besides those of libs/frame/writes. */

import type { Models } from '../virtual/database.ts'
import type { Row, TablePlan } from '../virtual/tables.ts'
import { mandatesModels, mandatesTables } from './mandates.ts'
import { by, date, latest, lockWhere, pick, recordset, time } from './sql.ts'
import { writesModels, writesTables } from './writes.ts'

export const beneficiariesTables = {
  ...writesTables,
  ...mandatesTables,
  beneficiaries: { key: ['id'], unique: { operation_id: ['operation_id'] } },
} as const satisfies Record<string, TablePlan>

const columns = [
  'id',
  'name',
  'nickname',
  'country',
  'currency',
  'payout_schema_id',
  'is_external',
  'purpose_code',
  'masked_details',
  'state',
  'operation_id',
  'created_at',
  'updated_at',
  'upstream_reference',
]
const isVisible = (row: Row) => ['pending', 'active', 'failed'].includes(row.state as string)
const newestFirst = (a: Row, b: Row) => by('created_at', 'id')(b, a)

export const beneficiariesModels: Models = {
  ...writesModels,
  ...mandatesModels,
  *beneficiaries_insert(tx, [text, now]) {
    const names = columns.filter((name) => !['state', 'created_at', 'updated_at', 'upstream_reference'].includes(name))
    for (const item of recordset(text, [...names, 'owner_id']))
      yield* tx.insert('beneficiaries', {
        ...item,
        state: 'draft',
        upstream_reference: null,
        created_at: date(now),
        updated_at: date(now),
      })
    return []
  },
  *beneficiaries_move(tx, [text]) {
    const moves = new Map(recordset(text, ['id', 'state', 'at', 'upstream_reference']).map((item) => [item.id, item]))
    for (const row of yield* lockWhere(tx, 'beneficiaries', (one) => moves.has(one.id), by('id'))) {
      const item = moves.get(row.id) as Row
      tx.update('beneficiaries', row.id as string, {
        state: item.state,
        updated_at: latest(row.updated_at, item.at),
        upstream_reference: item.upstream_reference ?? row.upstream_reference,
      })
    }
    return []
  },
  *beneficiaries_remove(tx, [ids]) {
    for (const id of ids as string[]) if (yield* tx.lock('beneficiaries', id)) tx.remove('beneficiaries', id)
    return []
  },
  *beneficiaries_one(tx, [id, owner]) {
    const row = tx.get('beneficiaries', id as string)
    return row && row.owner_id === owner && isVisible(row) ? [pick(row, columns)] : []
  },
  *beneficiaries_first_page(tx, [owner, limit]) {
    const rows = tx.all('beneficiaries').filter((row) => row.owner_id === owner && isVisible(row))
    return rows
      .toSorted(newestFirst)
      .slice(0, limit as number)
      .map((row) => pick(row, columns))
  },
  *beneficiaries_next_page(tx, [owner, limit, at, id]) {
    const isAfter = (row: Row) =>
      time(row.created_at) < time(at) || (time(row.created_at) === time(at) && String(row.id) < String(id))
    const rows = tx.all('beneficiaries').filter((row) => row.owner_id === owner && isVisible(row) && isAfter(row))
    return rows
      .toSorted(newestFirst)
      .slice(0, limit as number)
      .map((row) => pick(row, columns))
  },
}
