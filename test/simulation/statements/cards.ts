/** In-memory models of the cards area's own statements, besides those of libs/frame/writes. */

import type { Models } from '../virtual/database.ts'
import type { Row, TablePlan, Transaction } from '../virtual/tables.ts'
import { by, date, dateOrNull, latest, lockWhere, pick, pruneModel, recordset, time } from './sql.ts'
import { writesModels, writesTables } from './writes.ts'

const changing: ReadonlySet<unknown> = new Set(['freezing', 'unfreezing', 'closing'])

export const cardsTables = {
  ...writesTables,
  cards: {
    key: ['id'],
    refuses: (row) => {
      if ((row.prior_state !== null) !== changing.has(row.state)) return 'prior_state'
      return row.prior_state !== null && (row.changes as unknown[]).length === 0 ? 'changes' : undefined
    },
  },
  reveal_sessions: { key: ['id'] },
} as const satisfies Record<string, TablePlan>

const given = ['id', 'operation_id', 'owner_id', 'label', 'type', 'currency']
const standing = ['operation_id', 'state', 'prior_state', 'changes']
const facts = ['upstream_reference', 'brand', 'last_four']
const isVisible = (row: Row) => row.state !== 'draft' && row.state !== 'void'

const shown = ['id', 'label', 'type', 'currency', 'brand', 'last_four', 'created_at', 'updated_at', ...standing]

function page(tx: Transaction, owner: unknown, limit: unknown, isAfter: (row: Row) => boolean): Row[] {
  return tx
    .all('cards')
    .filter((row) => row.owner_id === owner && isVisible(row) && isAfter(row))
    .toSorted((a, b) => by('created_at', 'id')(b, a))
    .slice(0, limit as number)
    .map((row) => pick(row, shown))
}

function one(tx: Transaction, [id, owner]: readonly unknown[], columns: readonly string[]): Row[] {
  const row = tx.get('cards', id as string)
  return row && row.owner_id === owner && isVisible(row) ? [pick(row, columns)] : []
}

export const cardsModels: Models = {
  ...writesModels,
  *cards_one(tx, values) {
    return one(tx, values, shown)
  },
  *cards_named(tx, values) {
    return one(tx, values, ['id', 'upstream_reference', ...standing])
  },
  *cards_first_page(tx, [owner, limit]) {
    return page(tx, owner, limit, () => true)
  },
  *cards_next_page(tx, [owner, limit, at, id]) {
    return page(
      tx,
      owner,
      limit,
      (row) => time(row.created_at) < time(at) || (time(row.created_at) === time(at) && String(row.id) < String(id)),
    )
  },
  *cards_insert(tx, [text, now]) {
    for (const item of recordset(text, given))
      yield* tx.insert('cards', {
        ...item,
        state: 'draft',
        prior_state: null,
        changes: [],
        upstream_reference: null,
        brand: null,
        last_four: null,
        created_at: date(now),
        updated_at: date(now),
      })
    return []
  },
  *cards_lock(tx, [ids]) {
    const wanted = new Set(ids as string[])
    const locked = yield* lockWhere(tx, 'cards', (row) => wanted.has(row.id as string), by('id'))
    return locked.map(() => ({ '?column?': 1 }))
  },
  *cards_read(tx, [ids]) {
    return [...new Set(ids as string[])].flatMap((id) => {
      const row = tx.get('cards', id)
      return row ? [{ ...pick(row, ['id', ...facts, ...standing]), moved_at: null }] : []
    })
  },
  *cards_update(tx, [text]) {
    const columns = ['state', 'prior_state', 'changes', ...facts]
    for (const item of recordset(text, ['id', ...columns, 'moved_at'])) {
      const row = yield* tx.lock('cards', item.id as string)
      if (row)
        tx.update('cards', item.id as string, {
          ...pick(item, columns),
          updated_at: latest(row.updated_at, item.moved_at),
        })
    }
    return []
  },
  *cards_remove(tx, [ids]) {
    const wanted = new Set(ids as string[])
    const gone = yield* lockWhere(tx, 'cards', (row) => wanted.has(row.id as string) && row.state === 'void', by('id'))
    for (const row of gone) tx.remove('cards', row.id as string)
    return []
  },
  *reveal_sessions_insert(tx, [id, card_id, owner_id, client_id, now]) {
    yield* tx.insert('reveal_sessions', { id, card_id, owner_id, client_id, created_at: date(now), expires_at: null })
    return []
  },
  *reveal_sessions_open(tx, [id, expiresAt]) {
    if (yield* tx.lock('reveal_sessions', id as string))
      tx.update('reveal_sessions', id as string, { expires_at: dateOrNull(expiresAt) })
    return []
  },
  prune_reveal_sessions: pruneModel('reveal_sessions', 'created_at'),
}
