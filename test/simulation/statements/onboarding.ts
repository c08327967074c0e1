/**
 * Twins of the statements of onboarding that a disconnect and its neighbours need, and those of connections that are declared.
 * Neither signing in nor verification is simulated.
 */

import type { Twins } from '../virtual/database.ts'
import type { Row, TablePlan } from '../virtual/tables.ts'
import { by, date, lockWhere, pick, pruneTwin, takeSkippingLocked, time } from './sql.ts'
import { writesTables, writesTwins } from './writes.ts'

export const onboardingTables = {
  ...writesTables,
  bindings: {
    key: ['id'],
    refuses: (row) => {
      if (row.credentials_sealed === null && row.status !== 'disconnected') return 'credentials'
      return row.status === 'disconnecting' && (row.pending_operation_id === null || row.disconnecting_at === null)
        ? 'disconnecting_by_an_operation'
        : undefined
    },
  },
  announcements: { key: ['id'] },
  sign_ins: { key: ['id_hash'] },
  kyc: { key: ['owner_id'] },
  kyc_changes: { key: ['id'] },
  kyc_sessions: { key: ['id'] },
} as const satisfies Record<string, TablePlan>

const living = ['id', 'owner_id', 'provider', 'display_name', 'status', 'source', 'credentials_sealed']
const moving = ['id', 'owner_id', 'status', 'pending_operation_id']
const isFirst = (status: string) => (a: Row, b: Row) => Number(b.status === status) - Number(a.status === status)
const newestFirst = (a: Row, b: Row) => by('connected_at')(b, a)

/** As PostgreSQL writes it: in lines. */
const base64 = (bytes: unknown) => (bytes as Buffer).toString('base64').replaceAll(/(.{76})(?=.)/g, '$1\n')

export const onboardingTwins: Twins = {
  ...writesTwins,
  *onboarding_connection_of_owner(tx, [owner]) {
    return tx
      .all('bindings')
      .filter((row) => row.owner_id === owner && row.status !== 'disconnected')
      .toSorted((a, b) => isFirst('connected')(a, b) || newestFirst(a, b))
      .slice(0, 1)
      .map((row) => pick(row, ['id', 'status', 'provider', 'display_name', 'connected_at']))
  },
  *onboarding_sealed_credentials(tx, [ids]) {
    return (ids as string[]).flatMap((binding_id) => {
      const row = tx.get('bindings', binding_id)
      if (!row || row.credentials_sealed === null) return []
      return [{ binding_id, credentials_sealed: base64(row.credentials_sealed) }]
    })
  },
  *onboarding_lock_bindings() {
    return []
  },
  // The file of declared bindings is applied by one at a time.
  *onboarding_apply_lock() {
    return []
  },
  *onboarding_living_bindings(tx) {
    const rows = tx.all('bindings').filter((row) => row.status !== 'disconnected')
    return rows.toSorted(by('owner_id', 'status')).map((row) => pick(row, living))
  },
  *onboarding_connect(tx, [id, owner_id, provider, display_name, status, source, credentials_sealed, now]) {
    yield* tx.insert('bindings', {
      id,
      owner_id,
      provider,
      display_name,
      status,
      source,
      credentials_sealed,
      connected_at: date(now),
      updated_at: date(now),
      disconnecting_at: null,
      disconnected_at: null,
      pending_operation_id: null,
      erase_check_at: Number.NEGATIVE_INFINITY,
    })
    return []
  },
  *onboarding_connected_locked(tx, [owner]) {
    const isConnected = (row: Row) => row.owner_id === owner && row.status === 'connected'
    return (yield* lockWhere(tx, 'bindings', isConnected, by('id'))).map((row) => pick(row, moving))
  },
  *onboarding_kyc_wish(tx, [owner_id, now]) {
    const first = { owner_id, status: 'not_started', reason_code: null, changed_at: date(now) }
    const unread = { binding_id: null, read_at: null, follow_until: null, due_at: date(now) }
    if (yield* tx.insert('kyc', { ...first, ...unread }, 'nothing')) return []
    const row = yield* tx.lock('kyc', owner_id as string)
    const due = Math.min(time(row?.due_at ?? now), time(now))
    if (row) tx.update('kyc', owner_id as string, { due_at: new Date(due) })
    return []
  },
  *onboarding_bindings_locked(tx, [ids]) {
    const named = (row: Row) => (ids as string[]).includes(row.id as string)
    return (yield* lockWhere(tx, 'bindings', named, by('id'))).map((row) => pick(row, moving))
  },
  *onboarding_move(tx, [id, status, pending, now]) {
    const row = yield* tx.lock('bindings', id as string)
    if (row)
      tx.update('bindings', id as string, {
        status,
        pending_operation_id: pending,
        updated_at: date(now),
        disconnecting_at: status === 'disconnecting' ? (row.disconnecting_at ?? date(now)) : row.disconnecting_at,
        disconnected_at: status === 'disconnected' ? (row.disconnected_at ?? date(now)) : null,
      })
    return []
  },
  *onboarding_insert_announcement(tx, [owner_id, binding_id, fence, now]) {
    const id = tx.next('announcements')
    const row = { id, owner_id, binding_id, fence, fenced_at: null, announced_at: null, created_at: date(now) }
    yield* tx.insert('announcements', row)
    return []
  },
  *onboarding_to_announce(tx, [limit]) {
    const rows = tx.all('announcements').filter((row) => row.announced_at === null)
    return rows
      .toSorted(by('id'))
      .slice(0, limit as number)
      .map((row) => pick(row, ['id', 'owner_id', 'binding_id']))
  },
  *onboarding_to_fence(tx, [limit]) {
    const rows = tx.all('announcements').filter((row) => row.fence && row.fenced_at === null)
    return rows
      .toSorted(by('id'))
      .slice(0, limit as number)
      .map((row) => pick(row, ['id', 'owner_id', 'binding_id']))
  },
  *onboarding_announced(tx, [id, now]) {
    if (yield* tx.lock('announcements', String(id))) tx.update('announcements', String(id), { announced_at: date(now) })
    return []
  },
  *onboarding_fenced(tx, [id, now]) {
    if (yield* tx.lock('announcements', String(id))) tx.update('announcements', String(id), { fenced_at: date(now) })
    return []
  },
  *onboarding_take_to_erase(tx, [now, before, limit]) {
    const unfenced = (id: unknown) =>
      tx.all('announcements').some((row) => row.binding_id === id && row.fence && row.fenced_at === null)
    const due = yield* takeSkippingLocked(tx, 'bindings', {
      where: (row) =>
        row.status === 'disconnected' &&
        row.credentials_sealed !== null &&
        row.pending_operation_id === null &&
        !(time(row.erase_check_at) > time(now)) &&
        time(row.disconnected_at) <= time(before) &&
        !unfenced(row.id),
      order: by('erase_check_at'),
      limit: limit as number,
    })
    return due.map((row) => {
      const waitMs = Math.max(60_000, Math.min(3_600_000, (time(now) - time(row.disconnected_at)) / 2))
      tx.update('bindings', row.id as string, { erase_check_at: new Date(time(now) + waitMs) })
      return pick(row, ['id'])
    })
  },
  *onboarding_erase(tx, [ids, now]) {
    const over = (row: Row) =>
      (ids as string[]).includes(row.id as string) && row.status === 'disconnected' && row.pending_operation_id === null
    for (const row of yield* lockWhere(tx, 'bindings', over, by('id')))
      tx.update('bindings', row.id as string, { credentials_sealed: null, updated_at: date(now) })
    return []
  },
  *onboarding_kyc_take_due(tx, [now, limit]) {
    const due = yield* takeSkippingLocked(tx, 'kyc', {
      where: (row) => row.due_at !== null && !(time(row.due_at) > time(now)),
      order: by('due_at'),
      limit: limit as number,
    })
    return due.map(({ owner_id }) => {
      const connected = tx.all('bindings').find((row) => row.owner_id === owner_id && row.status === 'connected')
      tx.update('kyc', owner_id as string, { due_at: connected ? new Date(time(now) + 60_000) : null })
      return { owner_id, binding_id: connected?.id ?? null }
    })
  },
  prune_sign_ins: pruneTwin('sign_ins', 'expires_at'),
  prune_kyc_sessions: pruneTwin('kyc_sessions', 'created_at'),
  prune_kyc_changes: pruneTwin('kyc_changes', 'recorded_at'),
}
