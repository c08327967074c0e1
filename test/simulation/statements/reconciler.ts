/** In-memory models of the reconciler's statements: handoffs, reads, late answers, outbox. */

import { randomUUID } from 'node:crypto'
import type { Models } from '../virtual/database.ts'
import type { Row, Steps, TablePlan, Transaction } from '../virtual/tables.ts'
import { by, date, dateOrNull, lockWhere, pick, recordset, takeSkippingLocked, time, unnest } from './sql.ts'

const isFinal = (row: Row) => row.state === 'succeeded' || row.state === 'failed'

export const reconcilerTables = {
  reconciliations: {
    key: ['operation_id'],
    refuses: (row) => {
      if (isFinal(row) !== (row.settled_at !== null)) return 'settled without its time'
      if ((row.settled_at === null) !== (row.next_read_at !== null)) return 'open without a read'
      return undefined
    },
  },
  evidence: { key: ['operation_id', 'number'] },
  transitions: { key: ['operation_id', 'sequence'] },
  late_answers: { key: ['operation_id'] },
} as const satisfies Record<string, TablePlan>

const handed = [
  'operation_id',
  'kind',
  'resource_id',
  'owner_id',
  'subject',
  'client_id',
  'grant_id',
  'binding_id',
  'traceparent',
]

function* insertHandoffs(tx: Transaction, [text, firstRead]: readonly unknown[]): Steps<Row[]> {
  const references = ['upstream_reference', 'target_reference']
  const columns = [...handed, 'to', 'sequence', 'at', ...references, 'valid_until', 'next_reconcile_at']
  for (const item of recordset(text, columns).toSorted(by('operation_id'))) {
    const planned = dateOrNull(item.next_reconcile_at) ?? date(item.at)
    yield* tx.insert(
      'reconciliations',
      {
        ...pick(item, [...handed, 'sequence', ...references]),
        valid_until: dateOrNull(item.valid_until),
        state: item.to,
        updated_at: date(item.at),
        reads: 0,
        not_found: 0,
        evidence_count: 0,
        shown: item.to === 'submitted',
        next_read_at: new Date(Math.min(planned.getTime(), time(firstRead))),
        woken: false,
        locked_until: null,
        lock_token: null,
        review: false,
        review_reason: null,
        settled_at: null,
      },
      'nothing',
    )
  }
  return []
}

function* lockDue(tx: Transaction, [now, lockedUntil, limit]: readonly unknown[]): Steps<Row[]> {
  const due = yield* takeSkippingLocked(tx, 'reconciliations', {
    where: (row) =>
      row.settled_at === null &&
      time(row.next_read_at) <= time(now) &&
      (row.locked_until === null || time(row.locked_until) <= time(now)),
    order: by('next_read_at'),
    limit: limit as number,
  })
  return due.map((row) => {
    const id = row.operation_id as string
    const late = tx.get('late_answers', id)
    const locked = tx.update('reconciliations', id, {
      locked_until: date(lockedUntil),
      lock_token: randomUUID(),
      woken: Boolean(row.woken) && late === undefined,
    })
    return {
      ...pick(locked, [
        ...handed,
        'state',
        'sequence',
        'updated_at',
        'upstream_reference',
        'target_reference',
        'valid_until',
      ]),
      ...pick(locked, ['reads', 'not_found', 'shown', 'review', 'lock_token']),
      late_outcome: late?.outcome ?? null,
      late_upstream_reference: late?.upstream_reference ?? null,
      late_failure_code: late?.failure_code ?? null,
    }
  })
}

const readColumns = [
  'operation_id',
  'sequence',
  'lock_token',
  'state',
  'updated_at',
  'upstream_reference',
  'reads',
  'not_found',
  'shown',
  'next_read_at',
  'review_reason',
  'settled_at',
  'evidence',
  'transition',
]

function* settleReads(tx: Transaction, [text, now, republishAt]: readonly unknown[]): Steps<Row[]> {
  const items = new Map(recordset(text, readColumns).map((item) => [item.operation_id, item]))
  const locked = yield* lockWhere(tx, 'reconciliations', (row) => items.has(row.operation_id), by('operation_id'))
  const settled: Row[] = []
  for (const row of locked) {
    const id = row.operation_id as string
    const item = items.get(id) as Row
    if (row.sequence !== item.sequence || row.lock_token !== item.lock_token) continue
    const settledAt = dateOrNull(item.settled_at)
    const moved = tx.update('reconciliations', id, {
      ...pick(item, ['state', 'reads', 'not_found', 'shown']),
      sequence: (row.sequence as number) + (item.transition === null ? 0 : 1),
      updated_at: date(item.updated_at),
      upstream_reference: item.upstream_reference ?? row.upstream_reference,
      evidence_count: (row.evidence_count as number) + (item.evidence === null ? 0 : 1),
      next_read_at: settledAt === null && row.woken ? date(now) : dateOrNull(item.next_read_at),
      locked_until: null,
      lock_token: null,
      review: Boolean(row.review) || item.review_reason !== null,
      review_reason: item.review_reason ?? row.review_reason,
      settled_at: settledAt,
    })
    if (item.evidence !== null) {
      const evidence = item.evidence as Row
      yield* tx.insert('evidence', {
        operation_id: id,
        number: moved.evidence_count,
        ...pick(evidence, ['read', 'result', 'digest']),
        observed_at: date(evidence.observed_at),
        sequence: moved.sequence,
      })
    }
    if (item.transition !== null)
      yield* tx.insert('transitions', {
        operation_id: id,
        sequence: moved.sequence,
        body: item.transition,
        confirmed: false,
        publications: 0,
        republish_at: date(republishAt),
      })
    settled.push(pick(moved, ['operation_id', 'sequence', 'next_read_at']))
  }
  return settled
}

const transitionKey = (tx: Transaction, row: Row) => tx.table('transitions').keyOf(row)

export const reconcilerModels: Models = {
  handoff_insert: insertHandoffs,
  *late_insert(tx, [operation_id, outcome, upstream_reference, resource, failure_code, observed, received]) {
    const row = { operation_id, outcome, upstream_reference, resource, failure_code }
    yield* tx.insert('late_answers', { ...row, observed_at: date(observed), received_at: date(received) }, 'nothing')
    return []
  },
  *late_wake(tx, [id, now]) {
    if (tx.get('reconciliations', id as string)?.settled_at !== null) return []
    const row = yield* tx.lock('reconciliations', id as string)
    if (row && row.settled_at === null) {
      const next = new Date(Math.min(time(row.next_read_at), time(now)))
      tx.update('reconciliations', id as string, { next_read_at: next, woken: true })
    }
    return []
  },
  read_lock: lockDue,
  read_settle: settleReads,
  *outbox_take(tx, values) {
    const [now, after, longest] = [time(values[0]), values[1] as number, values[2] as number]
    const due = yield* takeSkippingLocked(tx, 'transitions', {
      where: (row) => !row.confirmed && time(row.republish_at) <= now,
      order: by('republish_at'),
      limit: values[3] as number,
    })
    return due.map((row) => {
      const publications = Math.min((row.publications as number) + 1, 20)
      const republish_at = new Date(now + Math.min(after * 2 ** publications, longest))
      tx.update('transitions', transitionKey(tx, row), { publications, republish_at })
      return pick(row, ['body'])
    })
  },
  *outbox_confirm(tx, values) {
    const named = unnest(['operation_id', 'sequence'], values)
    const owed = (row: Row) =>
      !row.confirmed && named.some((item) => item.operation_id === row.operation_id && item.sequence === row.sequence)
    for (const row of yield* lockWhere(tx, 'transitions', owed, by('operation_id', 'sequence')))
      tx.update('transitions', transitionKey(tx, row), { confirmed: true })
    return []
  },
}
