/** In-memory models of the operations service's statements about approvals. */

import type { Models } from '../virtual/database.ts'
import type { Row, Steps, Transaction } from '../virtual/tables.ts'
import { by, date, dateOrNull, latest, lockWhere, pick, takeSkippingLocked, time, unnest } from './sql.ts'

export const viewColumns = [
  'id',
  'kind',
  'state',
  'failure_code',
  'failure_detail',
  'resource_type',
  'resource_id',
  'upstream_reference',
  'next_reconcile_at',
  'action_required',
  'created_at',
  'updated_at',
]

function taken(tx: Transaction, rows: readonly Row[], now: unknown, until: unknown): Row[] {
  return rows.flatMap((row) => {
    const id = row.operation_id as string
    const waitMs = ((row.poll_after_ms as number | null) ?? 2_000) / 2
    const moved = tx.update('approvals', id, {
      ask_after: new Date(time(now) + waitMs),
      next_check_at: date(until),
      updated_at: latest(row.updated_at, now),
    })
    const operation = tx.get('operations', id)
    if (!operation) return []
    return [
      {
        ...pick(moved, ['operation_id', 'state', 'approval', 'expires_at', 'poll_after_ms', 'failures', 'created_at']),
        ...pick(operation, [
          'kind',
          'grant_id',
          'client_id',
          'binding_id',
          'mandate_id',
          'target_reference',
          'traceparent',
          'payload_sealed',
        ]),
      },
    ]
  })
}

function* start(tx: Transaction, values: readonly unknown[]): Steps<Row[]> {
  const now = date(values[6])
  const columns = ['operation_id', 'approval', 'expires_at', 'poll_after_ms', 'next_check_at', 'action']
  const started: Row[] = []
  for (const item of unnest(columns, values)) {
    const id = item.operation_id as string
    if (tx.get('approvals', id)?.state !== 'unprepared') continue
    const row = yield* tx.lock('approvals', id)
    if (row?.state !== 'unprepared') continue
    tx.update('approvals', id, {
      ...pick(item, ['approval', 'poll_after_ms']),
      state: 'waiting',
      expires_at: date(item.expires_at),
      failures: 0,
      ask_after: now,
      next_check_at: date(item.next_check_at),
      updated_at: latest(row?.updated_at, now),
    })
    started.push(item)
  }
  const shown: Row[] = []
  for (const { operation_id, action } of started) {
    const id = operation_id as string
    if (tx.get('operations', id)?.state !== 'requires_action') continue
    const row = yield* tx.lock('operations', id)
    if (row?.state !== 'requires_action') continue
    const change = { action_required: JSON.parse(action as string) as unknown }
    shown.push(pick(tx.update('operations', id, change), viewColumns))
  }
  return shown
}

const tunnelled = [
  'owner_id',
  'subject',
  'client_id',
  'grant_id',
  'binding_id',
  'target_reference',
  'sequence',
  'traceparent',
]

const decideColumns = [
  'operation_id',
  'outcome',
  'event',
  'to_state',
  'holds_payload',
  'failure_code',
  'failure_detail',
  'reason',
  'evidence',
]

function* decide(tx: Transaction, values: readonly unknown[]): Steps<Row[]> {
  const [now, publishAfter] = [date(values[9]), date(values[10])]
  const isOpen = (row: Row | undefined) => row?.state === 'unprepared' || row?.state === 'waiting'
  const decided: Row[] = []
  for (const item of unnest(decideColumns, values)) {
    const id = item.operation_id as string
    if (!isOpen(tx.get('approvals', id))) continue
    const row = yield* tx.lock('approvals', id)
    if (!row || !isOpen(row)) continue
    tx.update('approvals', id, { state: item.outcome, next_check_at: null, updated_at: latest(row.updated_at, now) })
    decided.push(item)
  }
  const moved: Row[] = []
  for (const item of decided) {
    const id = item.operation_id as string
    if (tx.get('operations', id)?.state !== 'requires_action') continue
    const row = yield* tx.lock('operations', id)
    if (row?.state !== 'requires_action') continue
    const evidence = item.evidence === null ? null : (JSON.parse(item.evidence as string) as unknown)
    const after = tx.update('operations', id, {
      ...pick(item, ['failure_code', 'failure_detail']),
      state: item.to_state,
      sequence: (row.sequence as number) + 1,
      updated_at: latest(row.updated_at, now),
      action_required: null,
      payload_sealed: item.holds_payload ? row.payload_sealed : null,
      accepted_at: item.to_state === 'accepted' ? now : null,
    })
    yield* tx.insert('history', {
      operation_id: id,
      sequence: after.sequence,
      from_state: 'requires_action',
      event: item.event,
      to_state: after.state,
      moved_by: 'operations',
      at: after.updated_at,
      failure_code: after.failure_code,
      reason: item.reason,
      evidence,
      claimed_at: null,
    })
    moved.push({ ...pick(after, [...viewColumns, ...tunnelled]), ...pick(item, ['event', 'reason']), evidence })
  }
  for (const { id, state } of moved)
    if (state === 'accepted') yield* tx.insert('in_flight', { operation_id: id, publish_after: publishAfter })
  return moved
}

export const approvalsModels: Models = {
  *insert_approvals(tx, [ids, now, askAfter, nextCheckAt]) {
    for (const operation_id of ids as string[])
      yield* tx.insert('approvals', {
        operation_id,
        state: 'unprepared',
        approval: null,
        expires_at: null,
        poll_after_ms: null,
        failures: 0,
        ask_after: date(askAfter),
        next_check_at: date(nextCheckAt),
        created_at: date(now),
        updated_at: date(now),
      })
    return []
  },
  *take_approval(tx, [id, now, until]) {
    const mine = (row: Row) => row.operation_id === id && row.next_check_at !== null && time(row.ask_after) <= time(now)
    return taken(tx, yield* lockWhere(tx, 'approvals', mine, by('operation_id')), now, until)
  },
  *take_due_approvals(tx, [limit, now, until]) {
    const due = yield* takeSkippingLocked(tx, 'approvals', {
      where: (row) => row.next_check_at !== null && time(row.next_check_at) <= time(now),
      order: by('next_check_at'),
      limit: limit as number,
    })
    return taken(tx, due, now, until)
  },
  *find_moves_to_repeat(tx, [ids]) {
    const wasNeeded = ({ id, sequence }: Row) => {
      const evidence = tx.get('history', `${String(id)}\u0001${String(sequence)}\u0001`)?.evidence
      const { result = 'not_needed' } = (evidence ?? {}) as { result?: string }
      return result !== 'not_needed'
    }
    return (ids as string[]).flatMap((id) => {
      const row = tx.get('operations', id)
      if (!row) return []
      const event = row.state === 'requires_action' ? 'accept_for_approval' : 'approval_granted'
      const isOwn = row.state === 'requires_action' || (row.state === 'accepted' && wasNeeded(row))
      return isOwn ? [{ ...pick(row, [...viewColumns, ...tunnelled]), event, reason: null, evidence: null }] : []
    })
  },
  *hasten_approval(tx, [id, now]) {
    const early = (row: Row) =>
      row.operation_id === id &&
      row.next_check_at !== null &&
      time(row.next_check_at) > time(row.ask_after) &&
      time(row.ask_after) > time(now)
    for (const row of yield* lockWhere(tx, 'approvals', early, by('operation_id')))
      tx.update('approvals', row.operation_id as string, { next_check_at: row.ask_after })
    return []
  },
  *hasten_fenced_approvals(tx, [target, targetId, now]) {
    const under = (row: Row) =>
      row.next_check_at !== null &&
      time(row.next_check_at) > time(now) &&
      target !== 'mandate' &&
      tx.get('operations', row.operation_id as string)?.[`${String(target)}_id`] === targetId
    for (const row of yield* lockWhere(tx, 'approvals', under, by('operation_id')))
      tx.update('approvals', row.operation_id as string, { next_check_at: date(now) })
    return []
  },
  *postpone_approvals(tx, values) {
    for (const item of unnest(['operation_id', 'state', 'next_check_at', 'failures'], values)) {
      const mine = (row: Row) =>
        row.operation_id === item.operation_id && row.state === item.state && row.next_check_at !== null
      for (const row of yield* lockWhere(tx, 'approvals', mine, by('operation_id'))) {
        const isHastened = time(row.next_check_at) === time(row.ask_after)
        const next_check_at = isHastened ? row.next_check_at : dateOrNull(item.next_check_at)
        tx.update('approvals', row.operation_id as string, { next_check_at, failures: item.failures })
      }
    }
    return []
  },
  start_approvals: start,
  decide_approvals: decide,
  *find_operation_row(tx, [id]) {
    const row = tx.get('operations', id as string)
    return row ? [pick(row, viewColumns)] : []
  },
}
