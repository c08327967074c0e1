/** In-memory models of the statements of libs/frame/writes, which every area with financial writes uses. */

import type { Models } from '../virtual/database.ts'
import type { Row, Steps, TablePlan, Transaction } from '../virtual/tables.ts'
import { by, date, latest, lockWhere, pick, recordset, takeSkippingLocked, time } from './sql.ts'

export const writesTables = {
  writes: {
    key: ['operation_id'],
    unique: { writes_key: ['owner_id', 'client_id', 'route', 'idempotency_key', 'request_hash'] },
    derive: (row) => ({ settled: row.state === 'void' || row.outcome !== null }),
    refuses: (row) => {
      if ((row.state === 'void') !== (row.voided_at !== null)) return 'void without its time'
      if (row.state === 'draft' && row.idempotency_key === null) return 'a draft without its key'
      if (row.state === 'void' && row.idempotency_key !== null) return 'void with a key'
      if (row.outcome !== null && row.state !== 'accepted') return 'an outcome of what was not accepted'
      return undefined
    },
  },
  parked_events: { key: ['id'] },
} as const satisfies Record<string, TablePlan>

const write = ['operation_id', 'kind', 'resource_id', 'owner_id', 'client_id']
const identity = ['owner_id', 'client_id', 'route', 'idempotency_key', 'request_hash']

function* insertDrafts(tx: Transaction, [text, nextCheckAt, now]: readonly unknown[]): Steps<Row[]> {
  const items = recordset(text, [...write, 'route', 'idempotency_key', 'request_hash'])
  const inserted: Row[] = []
  for (const item of items.toSorted(by(...identity, 'operation_id'))) {
    const row = {
      ...item,
      state: 'draft',
      outcome: null,
      operation_sequence: 0,
      next_check_at: date(nextCheckAt),
      created_at: date(now),
      updated_at: date(now),
      voided_at: null,
    }
    if (yield* tx.insert('writes', row, 'nothing')) inserted.push(pick(item, ['operation_id']))
  }
  return inserted
}

/** Locks the drafts among these ids, in the order of the ids. */
function lockDrafts(tx: Transaction, ids: unknown): Steps<Row[]> {
  const wanted = new Set(ids as string[])
  const isDraft = (row: Row) => wanted.has(row.operation_id as string) && row.state === 'draft'
  return lockWhere(tx, 'writes', isDraft, by('operation_id'))
}

function* advance(tx: Transaction, [text]: readonly unknown[]): Steps<Row[]> {
  const columns = ['operation_id', 'sequence', 'outcome', 'at', 'upstream_reference', 'resource']
  const news = new Map(recordset(text, columns).map((item) => [item.operation_id, item]))
  const isNews = (row: Row) => {
    const item = news.get(row.operation_id)
    return (
      item !== undefined &&
      (row.operation_sequence as number) < (item.sequence as number) &&
      (item.outcome !== null || row.state !== 'accepted')
    )
  }
  const locked = yield* lockWhere(tx, 'writes', isNews, by('operation_id'))
  return locked.map((row) => {
    const item = news.get(row.operation_id) as Row
    const at = item.at === null ? null : date(item.at)
    tx.update('writes', row.operation_id as string, {
      state: 'accepted',
      outcome: item.outcome,
      operation_sequence: item.sequence,
      updated_at: latest(row.updated_at, at),
      voided_at: null,
    })
    const { upstream_reference, resource } = item
    return { ...pick(row, write), was: row.state, to: item.outcome ?? 'accepted', at, upstream_reference, resource }
  })
}

export const writesModels: Models = {
  writes_insert_drafts: insertDrafts,
  *writes_find_equal(tx, [text]) {
    return recordset(text, ['operation_id', ...identity]).flatMap((item) => {
      const equal = tx.all('writes').find((row) => identity.every((name) => row[name] === item[name]))
      if (!equal) return []
      const { operation_id, resource_id } = equal
      return [{ token: item.operation_id, operation_id, resource_id, decided: equal.state !== 'draft' }]
    })
  },
  *writes_delete_drafts(tx, [ids]) {
    for (const row of yield* lockDrafts(tx, ids)) tx.remove('writes', row.operation_id as string)
    return []
  },
  *writes_accept(tx, [ids]) {
    const drafts = yield* lockDrafts(tx, ids)
    return drafts.map((row) => pick(tx.update('writes', row.operation_id as string, { state: 'accepted' }), write))
  },
  *writes_void(tx, [ids, now]) {
    const drafts = yield* lockDrafts(tx, ids)
    return drafts.map((row) =>
      pick(
        tx.update('writes', row.operation_id as string, {
          state: 'void',
          idempotency_key: null,
          request_hash: null,
          updated_at: date(now),
          voided_at: date(now),
        }),
        write,
      ),
    )
  },
  *writes_release_key(tx, [id]) {
    const row = yield* tx.lock('writes', id as string)
    if (row && row.state !== 'draft') tx.update('writes', id as string, { idempotency_key: null, request_hash: null })
    return []
  },
  writes_advance: advance,
  *writes_take_due(tx, [now, pauseMs, limit]) {
    const due = yield* takeSkippingLocked(tx, 'writes', {
      where: (row) =>
        !row.settled &&
        time(row.next_check_at) <= time(now) &&
        (row.state === 'draft' || time(row.created_at) <= time(now) - (pauseMs as number)),
      order: by('next_check_at'),
      limit: limit as number,
    })
    return due.map((row) => {
      const pause = Math.max(pauseMs as number, Math.min(3_600_000, (time(now) - time(row.updated_at)) / 2))
      tx.update('writes', row.operation_id as string, { next_check_at: new Date(time(now) + pause) })
      return pick(row, ['operation_id', 'state'])
    })
  },
  *writes_prune_void(tx, [before, limit]) {
    const old = (row: Row) => row.voided_at !== null && time(row.voided_at) < time(before)
    const oldest = tx
      .all('writes')
      .filter(old)
      .toSorted(by('voided_at'))
      .slice(0, limit as number)
    const gone: Row[] = []
    for (const { operation_id } of oldest) {
      const row = yield* tx.lock('writes', operation_id as string)
      if (!row) continue
      tx.remove('writes', operation_id as string)
      gone.push(pick(row, write))
    }
    return gone
  },
  *writes_park(tx, [now, reason, event]) {
    yield* tx.insert('parked_events', { id: tx.next('parked_events'), parked_at: date(now), reason, event })
    return []
  },
}
