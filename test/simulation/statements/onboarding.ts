/**
 * In-memory models of the onboarding statements for a disconnect and for a new connection, made by the file or by an owner who has
 * signed in. The provider's part of a sign-in and of a verification is not simulated.
 */

import type { Models } from '../virtual/database.ts'
import type { Row, Steps, TablePlan, Transaction } from '../virtual/tables.ts'
import { by, date, lockWhere, pick, pruneModel, takeSkippingLocked, time } from './sql.ts'
import { writesModels, writesTables } from './writes.ts'

export const onboardingTables = {
  ...writesTables,
  bindings: {
    key: ['id'],
    unique: { bindings_one_connected: ['owner_id'] },
    uniqueWhere: { bindings_one_connected: (row) => row.status === 'connected' },
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

/** Every statement that writes bindings takes this lock first. */
const tableLock = 'LOCK TABLE bindings'
const writing = (tx: Transaction) => tx.advisory(tableLock, 'shared')

/** Base64 in lines of 76 characters, as PostgreSQL writes it. */
const base64 = (bytes: unknown) => (bytes as Buffer).toString('base64').replaceAll(/(.{76})(?=.)/g, '$1\n')

function outboxOf(tx: Transaction, bindingId: unknown, isOpen: (row: Row) => boolean): Row[] {
  return tx
    .all('announcements')
    .filter((row) => row.binding_id === bindingId && isOpen(row))
    .toSorted(by('id'))
    .map((row) => pick(row, ['id', 'owner_id', 'binding_id']))
}

const isByOwner = (tx: Transaction, bindingId: unknown) =>
  tx.get('bindings', bindingId as string)?.disconnecting_at !== null

/** `… ORDER BY … LIMIT 1 FOR UPDATE`. */
function* lockFirst(
  tx: Transaction,
  table: string,
  where: (row: Row) => boolean,
  order: (a: Row, b: Row) => number,
): Steps<Row[]> {
  const [found] = tx.all(table).filter(where).toSorted(order)
  if (!found) return []
  const row = yield* tx.lock(table, tx.table(table).keyOf(found))
  return row && where(row) ? [row] : []
}

export const onboardingModels: Models = {
  ...writesModels,
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
      return [{ binding_id, provider: row.provider, credentials_sealed: base64(row.credentials_sealed) }]
    })
  },
  *onboarding_lock_bindings(tx) {
    yield* writing(tx)
    return []
  },
  // One process at a time applies the file of declared bindings, while nobody else writes bindings.
  *onboarding_apply_lock(tx) {
    yield* tx.advisory(tableLock, 'exclusive')
    return []
  },
  *onboarding_living_bindings(tx) {
    const rows = tx.all('bindings').filter((row) => row.status !== 'disconnected')
    return rows.toSorted(by('owner_id', 'status')).map((row) => pick(row, living))
  },
  *onboarding_left_by_owner(tx, [owners]) {
    return (owners as string[]).flatMap((owner_id) => {
      const latest = tx.all('bindings').filter((row) => row.owner_id === owner_id)
      const [row] = latest.toSorted(newestFirst)
      return row?.status === 'disconnected' && row.disconnecting_at !== null ? [{ owner_id }] : []
    })
  },
  *onboarding_ending_of_owner(tx, [owner, before]) {
    const isEnding = (row: Row) => row.owner_id === owner && row.status === 'disconnecting'
    return tx
      .all('bindings')
      .filter((row) => isEnding(row) && time(row.disconnecting_at) <= time(before))
      .map((row) => pick(row, ['id', 'pending_operation_id']))
  },
  *onboarding_living_binding_of_owner(tx, [owner]) {
    const isLiving = (row: Row) => row.owner_id === owner && row.status !== 'disconnected'
    const order = (a: Row, b: Row) => isFirst('connected')(a, b) || newestFirst(a, b)
    return (yield* lockFirst(tx, 'bindings', isLiving, order)).map((row) => pick(row, living))
  },
  *onboarding_start_sign_in(tx, [id_hash, provider, authentication_sealed, now, expires]) {
    const times = { created_at: date(now), expires_at: date(expires) }
    const reported = { outcome: null, owner_id: null, display_name: null, locale: null, timezone: null }
    const sealed = { authentication_sealed, response_sealed: null, credentials_sealed: null }
    const unused = { asked_until: null, binding_id: null }
    yield* tx.insert('sign_ins', { id_hash, provider, ...times, ...reported, ...sealed, ...unused })
    return []
  },
  *onboarding_finish_sign_in(tx, [id_hash, outcome, owner_id, credentials_sealed, display_name, locale, timezone]) {
    const row = yield* tx.lock('sign_ins', String(id_hash))
    const result = { outcome, owner_id, credentials_sealed, display_name, locale, timezone }
    const erased = { authentication_sealed: null, response_sealed: null }
    if (row?.outcome === null) tx.update('sign_ins', String(id_hash), { ...result, ...erased })
    return []
  },
  *onboarding_waiting_sign_in_locked(tx, [owner, now]) {
    const ends = tx.all('bindings').filter((row) => row.owner_id === owner && row.disconnected_at !== null)
    const isWaiting = (row: Row) =>
      row.owner_id === owner &&
      row.credentials_sealed !== null &&
      time(row.expires_at) > time(now) &&
      !ends.some(({ disconnected_at }) => time(disconnected_at) > time(row.created_at))
    const order = (a: Row, b: Row) => by('created_at')(b, a)
    const columns = ['id_hash', 'provider', 'credentials_sealed']
    return (yield* lockFirst(tx, 'sign_ins', isWaiting, order)).map((row) => pick(row, columns))
  },
  *onboarding_drop_waiting_credentials(tx, [owner]) {
    const isWaiting = (row: Row) => row.owner_id === owner && row.credentials_sealed !== null
    for (const row of yield* lockWhere(tx, 'sign_ins', isWaiting, by('created_at')))
      tx.update('sign_ins', String(row.id_hash), { credentials_sealed: null })
    return []
  },
  *onboarding_connect(tx, [id, owner_id, provider, display_name, status, source, credentials_sealed, now]) {
    yield* writing(tx)
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
  *onboarding_update(tx, [id, display_name, source, credentials_sealed, now]) {
    yield* writing(tx)
    if (yield* tx.lock('bindings', id as string))
      tx.update('bindings', id as string, { display_name, source, credentials_sealed, updated_at: date(now) })
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
  *onboarding_move(tx, [id, status, pending, now, byOwner]) {
    yield* writing(tx)
    const row = yield* tx.lock('bindings', id as string)
    if (row)
      tx.update('bindings', id as string, {
        status,
        pending_operation_id: pending,
        updated_at: date(now),
        disconnecting_at: byOwner ? (row.disconnecting_at ?? date(now)) : row.disconnecting_at,
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
      .map((row) => ({ ...pick(row, ['id', 'owner_id', 'binding_id']), by_owner: isByOwner(tx, row.binding_id) }))
  },
  *onboarding_to_fence_of(tx, [binding_id]) {
    const by_owner = isByOwner(tx, binding_id)
    const rows = outboxOf(tx, binding_id, (row) => row.fence === true && row.fenced_at === null)
    return rows.map((row) => ({ ...row, by_owner }))
  },
  *onboarding_to_announce_of(tx, [binding_id]) {
    return outboxOf(tx, binding_id, (row) => row.announced_at === null)
  },
  *onboarding_is_connected(tx, [id]) {
    return tx.get('bindings', id as string)?.status === 'connected' ? [{ connected: 1 }] : []
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
    yield* writing(tx)
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
    yield* writing(tx)
    const over = (row: Row) =>
      (ids as string[]).includes(row.id as string) && row.status === 'disconnected' && row.pending_operation_id === null
    for (const row of yield* lockWhere(tx, 'bindings', over, by('id')))
      tx.update('bindings', row.id as string, { credentials_sealed: null, updated_at: date(now) })
    return []
  },
  *onboarding_kyc_lock_due(tx, [now, limit]) {
    const due = yield* takeSkippingLocked(tx, 'kyc', {
      where: (row) => row.due_at !== null && !(time(row.due_at) > time(now)),
      order: by('due_at'),
      limit: limit as number,
    })
    return due.map((row) => pick(row, ['owner_id']))
  },
  *onboarding_kyc_take_due(tx, [now, ids]) {
    const taken: Row[] = []
    for (const owner_id of ids as string[]) {
      if (!(yield* tx.lock('kyc', owner_id))) continue
      const connected = tx.all('bindings').find((row) => row.owner_id === owner_id && row.status === 'connected')
      tx.update('kyc', owner_id, { due_at: connected ? new Date(time(now) + 60_000) : null })
      taken.push({ owner_id, binding_id: connected?.id ?? null })
    }
    return taken
  },
  prune_sign_ins: pruneModel('sign_ins', 'expires_at'),
  prune_kyc_sessions: pruneModel('kyc_sessions', 'created_at'),
  prune_kyc_changes: pruneModel('kyc_changes', 'recorded_at'),
}
