/** In-memory models of the submitter's statements: claims, fences, outcomes, outbox. */

import type { Models } from '../virtual/database.ts'
import type { Row, Steps, TablePlan, Transaction } from '../virtual/tables.ts'
import { by, date, dateOrNull, latest, lockWhere, pick, recordset, takeSkippingLocked, time, unnest } from './sql.ts'
import { countMark, witnessModels, witnessTables } from './witness.ts'

export const submitterTables = {
  submissions: {
    key: ['operation_id'],
    refuses: (row) => {
      const steps = (row.sequence as number) - (row.base_sequence as number)
      if (steps !== 1 && steps !== 2) return 'sequence'
      if ((row.state === 'submitting') !== (row.outcome_event === null)) return 'an outcome without its event'
      return undefined
    },
  },
  outbox: {
    key: ['batch_id'],
    refuses: (row) => ((row.operation_ids as string[]).length === 0 ? 'an empty batch' : undefined),
  },
  fences: { key: ['target', 'target_id'] },
  fence_versions: { key: ['target', 'target_id'] },
  ...witnessTables,
} as const satisfies Record<string, TablePlan>

const fenceLock = 'fence'

const itemColumns = [
  'operation_id',
  'attempt_id',
  'kind',
  'resource_id',
  'owner_id',
  'subject',
  'client_id',
  'grant_id',
  'binding_id',
  'mandate_id',
  'target_reference',
  'traceparent',
]
const validated = [
  'base_sequence',
  'stop_grant',
  'stop_client',
  'stop_binding',
  'stop_mandate',
  'authority_ends_at',
  'supported',
  'sendable',
  'before_recovery',
  'at',
  'lease_until',
  'valid_until',
]

const effects: Record<string, { steps: number; event: string | null; code: string | null; detail: string | null }> = {
  submitting: { steps: 1, event: null, code: null, detail: null },
  cancelled: {
    steps: 1,
    event: 'cancel_before_submission',
    code: 'authority_withdrawn',
    detail: 'The authority had ended before anything was sent.',
  },
  failed: {
    steps: 1,
    event: 'fail_before_submission',
    code: 'operation_kind_unsupported',
    detail: 'The provider does not offer this kind of operation; nothing was sent.',
  },
  indeterminate: {
    steps: 2,
    event: 'lease_expired',
    code: 'attempt_interrupted',
    detail: 'The record of the attempt was lost; the provider may have accepted the request.',
  },
}

function isStopped(tx: Transaction, item: Row): boolean {
  return ['grant', 'client', 'binding', 'mandate'].some((target) => {
    const id = item[`stop_${target}`]
    return id !== null && tx.get('fences', tx.table('fences').keyOf({ target, target_id: id })) !== undefined
  })
}

function validateClaim(tx: Transaction, item: Row): string {
  if (item.before_recovery) return 'indeterminate'
  if (item.authority_ends_at !== null && time(item.authority_ends_at) <= time(item.at)) return 'cancelled'
  if (isStopped(tx, item)) return 'cancelled'
  return item.supported ? 'submitting' : 'failed'
}

function* insertClaims(tx: Transaction, values: readonly unknown[]): Steps<Row[]> {
  const items = unnest([...itemColumns, ...validated], values)
  const [batchId, republishAt] = values.slice(itemColumns.length + validated.length)
  // MATERIALIZED: evaluated in the statement's snapshot, before the statement waits for any key.
  const states = new Map(items.map((item) => [item, validateClaim(tx, item)]))
  const inserted: Row[] = []
  for (const item of items.toSorted(by('operation_id'))) {
    const state = states.get(item) as string
    if (!item.sendable && state === 'submitting') continue
    const effect = effects[state] as (typeof effects)[string]
    const at = date(item.at)
    const row = {
      ...pick(item, itemColumns),
      state,
      base_sequence: item.base_sequence,
      sequence: (item.base_sequence as number) + effect.steps,
      claimed_at: at,
      lease_until: date(item.lease_until),
      valid_until: state === 'submitting' ? date(item.valid_until) : null,
      outcome_event: effect.event,
      outcome_at: effect.event === null ? null : at,
      upstream_reference: null,
      resource: null,
      failure_code: effect.code,
      failure_detail: effect.detail,
      late_answer: null,
      late_answer_delivered: false,
    }
    if (yield* tx.insert('submissions', row, 'nothing')) inserted.push(row)
  }
  yield* note(tx, batchId, inserted, date(republishAt))
  return inserted.map((row) =>
    pick(row, ['attempt_id', 'state', 'sequence', 'outcome_event', 'failure_code', 'failure_detail']),
  )
}

/** Inserts a batch of these submissions into the outbox, unless there are none. */
function* note(tx: Transaction, batchId: unknown, rows: readonly Row[], republish_at: Date): Steps<void> {
  if (rows.length === 0) return
  const leases = rows.filter((row) => row.state === 'submitting').map((row) => row.lease_until)
  yield* tx.insert('outbox', {
    batch_id: batchId,
    operation_ids: rows.map((row) => row.operation_id),
    lease_until: leases.length === 0 ? null : latest(...leases),
    publications: 0,
    republish_at,
  })
}

const idsOf = (batch: Row) => batch.operation_ids as string[]

function openOf(column: string) {
  return function* (tx: Transaction, [id]: readonly unknown[]): Steps<Row[]> {
    const batches = tx.all('outbox').filter((batch) => batch.lease_until !== null)
    return [...new Set(batches.flatMap(idsOf))].toSorted().flatMap((operationId): Row[] => {
      const row = tx.get('submissions', operationId)
      return row?.state === 'submitting' && row[column] === id ? [pick(row, ['operation_id'])] : []
    })
  }
}

function* recordOutcomes(tx: Transaction, values: readonly unknown[]): Steps<Row[]> {
  const columns = ['operation_id', 'attempt_id', 'event', 'state', 'upstream_reference', 'resource']
  const items = unnest([...columns, 'failure_code', 'failure_detail', 'at'], values)
  const recorded: Row[] = []
  for (const item of items) {
    const id = item.operation_id as string
    const open = (row: Row | undefined) => row?.attempt_id === item.attempt_id && row?.state === 'submitting'
    if (!open(tx.get('submissions', id))) continue
    const row = yield* tx.lock('submissions', id)
    if (!row || !open(row)) continue
    const ended = tx.update('submissions', id, {
      ...pick(item, ['state', 'upstream_reference', 'failure_code', 'failure_detail']),
      resource: item.resource === null ? null : (JSON.parse(item.resource as string) as unknown),
      sequence: (row.sequence as number) + 1,
      outcome_event: item.event,
      outcome_at: latest(item.at, row.claimed_at),
    })
    recorded.push(pick(ended, ['operation_id', 'state', 'sequence', 'outcome_at', 'resource']))
  }
  return recorded
}

function* takeOutbox(tx: Transaction, values: readonly unknown[]): Steps<Row[]> {
  const [now, after, longest, limit] = [time(values[0]), values[1] as number, values[2] as number, values[3] as number]
  const settled = unnest(['batch_id', 'operation_id'], values.slice(4))
  const due = yield* takeSkippingLocked(tx, 'outbox', {
    where: (row) => time(row.republish_at) <= now,
    order: by('republish_at', 'batch_id'),
    limit,
  })
  return due.flatMap((batch) => {
    const publications = Math.min((batch.publications as number) + 1, 20)
    const open = idsOf(batch).filter(
      (id) => !settled.some((one) => one.batch_id === batch.batch_id && one.operation_id === id),
    )
    const operationIds = open.length === 0 ? idsOf(batch) : open
    const republish_at = new Date(now + Math.min(after * 2 ** publications, longest))
    tx.update('outbox', batch.batch_id as string, { publications, republish_at, operation_ids: operationIds })
    return operationIds.flatMap((id) => {
      const row = tx.get('submissions', id)
      return row ? [{ ...row, batch_id: batch.batch_id }] : []
    })
  })
}

/** INSERT … ON CONFLICT DO UPDATE … WHERE the known version is older. */
function* noteVersion(tx: Transaction, [target, target_id, version]: readonly unknown[]): Steps<Row[]> {
  const row = { target, target_id, version }
  if (yield* tx.insert('fence_versions', row, 'nothing')) return [{ version }]
  const key = tx.table('fence_versions').keyOf(row)
  const known = yield* tx.lock('fence_versions', key)
  if (!known || (known.version as number) >= (version as number)) return []
  tx.update('fence_versions', key, { version })
  return [{ version }]
}

export const submitterModels: Models = {
  ...witnessModels,
  // The tables of the simulation have no partitions, and nothing is archived: the horizon never moves.
  *make_months() {
    return [{ made: 0 }]
  },
  *archive_lock() {
    return [{}]
  },
  *archive_horizon() {
    return []
  },
  *claim_lock(tx, mark) {
    yield* countMark(tx, mark)
    yield* tx.advisory(fenceLock, 'shared')
    return [{}]
  },
  *claim_exclusive_lock(tx, mark) {
    yield* countMark(tx, mark)
    yield* tx.advisory(fenceLock, 'exclusive')
    return [{}]
  },
  claim_insert: insertClaims,
  *claim_raise_fences(tx, [text]) {
    const columns = ['target', 'target_id', 'reason', 'fenced_at']
    for (const item of recordset(text, columns).toSorted(by('target', 'target_id')))
      yield* tx.insert('fences', { ...item, fenced_at: date(item.fenced_at) }, 'nothing')
    return []
  },
  *fence_count(tx, mark) {
    yield* countMark(tx, mark)
    return [{ mark: '' }]
  },
  *fence_lock(tx) {
    yield* tx.advisory(fenceLock, 'exclusive')
    return [{}]
  },
  *fence_durable() {
    return [{}]
  },
  fence_note_version: noteVersion,
  *fence_insert(tx, [target, target_id, reason, at]) {
    yield* tx.insert('fences', { target, target_id, reason, fenced_at: date(at) }, 'nothing')
    return []
  },
  *fence_remove(tx, [target, target_id]) {
    const key = tx.table('fences').keyOf({ target, target_id })
    if (yield* tx.lock('fences', key)) tx.remove('fences', key)
    return []
  },
  fence_open_grant_id: openOf('grant_id'),
  fence_open_client_id: openOf('client_id'),
  fence_open_binding_id: openOf('binding_id'),
  fence_open_mandate_id: openOf('mandate_id'),
  *fences_stopped(tx, values) {
    const items = unnest(['operation_id', 'stop_grant', 'stop_client', 'stop_binding', 'stop_mandate'], values)
    return items.filter((item) => isStopped(tx, item)).map((item) => pick(item, ['operation_id']))
  },
  outcome_record: recordOutcomes,
  *outcome_find(tx, [ids]) {
    return (ids as string[]).flatMap((id): Row[] => {
      const row = tx.get('submissions', id)
      return row ? [pick(row, ['operation_id', 'outcome_event'])] : []
    })
  },
  *outcome_keep_late(tx, [text]) {
    for (const item of recordset(text, ['operation_id', 'attempt_id', 'late'])) {
      const id = item.operation_id as string
      const open = (row: Row | undefined) => row?.attempt_id === item.attempt_id && row?.late_answer === null
      if (!open(tx.get('submissions', id))) continue
      if (open(yield* tx.lock('submissions', id))) tx.update('submissions', id, { late_answer: item.late })
    }
    return []
  },
  *outcome_expire(tx, [now, republishAt, limit]) {
    const due = yield* takeSkippingLocked(tx, 'outbox', {
      where: (row) => row.lease_until !== null && time(row.lease_until) < time(now),
      order: by('lease_until', 'batch_id'),
      limit: limit as number,
    })
    for (const batch of due)
      tx.update('outbox', batch.batch_id as string, {
        lease_until: null,
        publications: 0,
        republish_at: dateOrNull(republishAt),
      })
    const expired: Row[] = []
    for (const id of [...new Set(due.flatMap(idsOf))].toSorted()) {
      if (tx.get('submissions', id)?.state !== 'submitting') continue
      const row = yield* tx.lock('submissions', id)
      if (row?.state !== 'submitting') continue
      const change = {
        state: 'indeterminate',
        sequence: (row.sequence as number) + 1,
        outcome_event: 'lease_expired',
        outcome_at: latest(now, row.claimed_at),
        failure_code: 'attempt_interrupted',
        failure_detail: 'The attempt ended without an outcome; the provider may have accepted the request.',
      }
      expired.push(tx.update('submissions', id, change))
    }
    const batches = due.length
    return expired.length > 0 ? expired.map((row) => ({ batches, ...row })) : [{ batches, operation_id: null }]
  },
  outbox_take: takeOutbox,
  *outbox_remove(tx, [batchIds]) {
    const removed = (row: Row) => (batchIds as string[]).includes(row.batch_id as string)
    for (const row of yield* lockWhere(tx, 'outbox', removed, by('batch_id')))
      tx.remove('outbox', row.batch_id as string)
    return []
  },
  *outbox_reopen(tx, [ids, batchId, now]) {
    const waiting = new Set(tx.all('outbox').flatMap(idsOf))
    const forgotten = (ids as string[]).flatMap((id): Row[] => {
      const row = tx.get('submissions', id)
      return row && !waiting.has(id) ? [row] : []
    })
    yield* note(tx, batchId, forgotten, date(now))
    return forgotten.map((row) => pick(row, ['operation_id']))
  },
  *outbox_late(tx, [limit]) {
    return tx
      .all('submissions')
      .filter((row) => row.late_answer !== null && !row.late_answer_delivered)
      .toSorted(by('operation_id'))
      .slice(0, limit as number)
  },
  *outbox_late_delivered(tx, [id]) {
    if (yield* tx.lock('submissions', id as string))
      tx.update('submissions', id as string, { late_answer_delivered: true })
    return []
  },
}
