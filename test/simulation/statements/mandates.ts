/** In-memory models of the statements about mandates: rows, reservations with their windows, and the wanted fences. */

import { BigNumber } from 'bignumber.js'
import type { Models } from '../virtual/database.ts'
import type { Row, Steps, TablePlan, Transaction } from '../virtual/tables.ts'
import { by, date, dateOrNull, latest, lockWhere, pick, recordset, takeSkippingLocked, time } from './sql.ts'

const within = (value: unknown, cap: unknown) =>
  new BigNumber(value as string).gte(0) && new BigNumber(value as string).lte(cap as string)

export const mandatesTables = {
  mandates: {
    key: ['id'],
    unique: { operation_id: ['operation_id'] },
    refuses: (row) => {
      if (!within(row.reserved_total, row.total_cap)) return 'reserved_total'
      return within(row.reserved_count, row.payment_count) ? undefined : 'reserved_count'
    },
  },
  mandate_windows: {
    key: ['mandate_id', 'period', 'starts_on'],
    refuses: (row) => (within(row.reserved, row.cap) ? undefined : 'reserved'),
  },
  mandate_reservations: { key: ['operation_id'] },
  mandate_fences: { key: ['mandate_id'] },
  mandate_authorities: { key: ['mandate_id', 'client_id', 'grant_id'] },
} as const satisfies Record<string, TablePlan>

const caps = ['per_payment_max', 'daily_max', 'weekly_max', 'monthly_max', 'total_cap']
const given = [
  'id',
  'operation_id',
  'owner_id',
  'client_id',
  'grant_id',
  'beneficiary_id',
  'currency',
  'authorized_clients',
  'authorized_rules',
  ...caps,
  'payment_count',
]
const shown = [
  ...given.filter((name) => name !== 'grant_id'),
  'expires_at',
  'state',
  'suspend_operation_id',
  'revoke_operation_id',
  'upstream_reference',
  'created_at',
  'updated_at',
]
const windowKey = (mandateId: unknown, period: string, startsOn: unknown) =>
  `${String(mandateId)}\u0001${period}\u0001${String(startsOn)}\u0001`
const minus = (a: unknown, b: unknown) => new BigNumber(a as string).minus(b as string).toFixed()
const plus = (a: unknown, b: unknown) => new BigNumber(a as string).plus(b as string).toFixed()

const authoritiesOf = (tx: Transaction, mandateId: unknown) =>
  tx.all('mandate_authorities').filter((row) => row.mandate_id === mandateId)

function isFenceConfirmed(tx: Transaction, { id }: Row): boolean {
  const fence = tx.get('mandate_fences', id as string)
  return !fence || fence.confirmed === true
}

function isRunning(tx: Transaction, row: Row, now: unknown): boolean {
  const { state } = row
  if (state === 'revoked') return !isFenceConfirmed(tx, row)
  if (state === 'draft' || state === 'void' || state === 'failed') return false
  return !((state === 'active' || state === 'suspended') && time(row.expires_at) <= time(now))
}

function read(tx: Transaction, row: Row, starts: readonly unknown[]): Row[] {
  const beneficiary = tx.get('beneficiaries', row.beneficiary_id as string)
  if (!beneficiary) return []
  const left = (cap: string, period: string, startsOn: unknown) => {
    const { reserved = '0' } = tx.get('mandate_windows', windowKey(row.id, period, startsOn)) ?? {}
    return BigNumber.max(0, minus(row[cap], reserved)).toFixed()
  }
  const remaining_total = minus(row.total_cap, row.reserved_total)
  const remaining_payments = (row.payment_count as number) - (row.reserved_count as number)
  return [
    {
      ...pick(row, shown),
      beneficiary_name: beneficiary.name,
      remaining_daily: left('daily_max', 'day', starts[0]),
      remaining_weekly: left('weekly_max', 'week', starts[1]),
      remaining_monthly: left('monthly_max', 'month', starts[2]),
      remaining_total,
      remaining_payments,
      used_up: remaining_total === '0' || remaining_payments === 0,
      authorities: authoritiesOf(tx, row.id)
        .toSorted(by('client_id', 'grant_id'))
        .map((each) => pick(each, ['client_id', 'grant_id'])),
      fence_confirmed: isFenceConfirmed(tx, row),
    },
  ]
}

const isVisible = (row: Row) => row.state !== 'draft' && row.state !== 'void'
const isSeenBy = (row: Row, client: unknown) =>
  client === null || row.client_id === client || (row.authorized_clients as string[]).includes(client as string)

function newest(tx: Transaction, values: readonly unknown[], limit: unknown, isMeant: (row: Row) => boolean): Row[] {
  return tx
    .all('mandates')
    .filter((row) => row.owner_id === values[3] && isVisible(row) && isMeant(row))
    .toSorted((a, b) => by('created_at', 'id')(b, a))
    .slice(0, limit as number)
    .flatMap((row) => read(tx, row, values))
}

function isAfter(row: Row, created_at: unknown, id: unknown): boolean {
  const at = created_at === 'infinity' ? Number.POSITIVE_INFINITY : time(created_at)
  return time(row.created_at) < at || (time(row.created_at) === at && String(row.id) < String(id))
}

function mark(column: string) {
  return function* (tx: Transaction, [text]: readonly unknown[]): Steps<Row[]> {
    for (const { resource_id, operation_id } of recordset(text, ['resource_id', 'operation_id']))
      if (yield* tx.lock('mandates', resource_id as string))
        tx.update('mandates', resource_id as string, { [column]: operation_id })
    return []
  }
}

/** Adds a reservation's amount to its windows, or subtracts it. */
function* moveWindows(
  tx: Transaction,
  mandate: Row,
  starts: Readonly<Record<string, unknown>>,
  amount: (reserved: unknown) => string,
): Steps<void> {
  const windows = [
    ['day', 'daily_max'],
    ['week', 'weekly_max'],
    ['month', 'monthly_max'],
  ] as const
  for (const [period, cap] of windows) {
    const key = windowKey(mandate.id, period, starts[period])
    const window = { mandate_id: mandate.id, period, starts_on: starts[period] }
    const reserved = { ...window, cap: mandate[cap], reserved: amount('0'), lost: '0' }
    if (!tx.get('mandate_windows', key) && (yield* tx.insert('mandate_windows', reserved, 'nothing'))) continue
    const row = yield* tx.lock('mandate_windows', key)
    if (row) tx.update('mandate_windows', key, { reserved: amount(row.reserved) })
  }
}

function* moveSums(tx: Transaction, id: unknown, move: (row: Row) => Row): Steps<Row | undefined> {
  const row = yield* tx.lock('mandates', id as string)
  return row && tx.update('mandates', id as string, move(row))
}

export const mandatesModels: Models = {
  *mandates_one(tx, values) {
    const [, , , id, owner, client] = values
    const row = tx.get('mandates', id as string)
    return row && row.owner_id === owner && isVisible(row) && isSeenBy(row, client) ? read(tx, row, values) : []
  },
  *mandates_by_id(tx, values) {
    const ids = new Set(values[3] as string[])
    return [...ids].flatMap((id) => {
      const row = tx.get('mandates', id)
      return row ? read(tx, row, values) : []
    })
  },
  *mandates_first_page(tx, values) {
    return newest(tx, values, values[5], (row) => isSeenBy(row, values[4]))
  },
  *mandates_next_page(tx, values) {
    return newest(tx, values, values[5], (row) => isSeenBy(row, values[4]) && isAfter(row, values[6], values[7]))
  },
  *mandates_running(tx, values) {
    const [now, at, id, limit] = values.slice(4)
    return newest(tx, values, limit, (row) => isRunning(tx, row, now) && isAfter(row, at, id))
  },
  *mandates_over(tx, values) {
    return newest(tx, values, values[5], (row) => !isRunning(tx, row, values[4]))
  },
  *mandate_authorities_confirm(tx, [text, now]) {
    for (const item of recordset(text, ['mandate_id', 'client_id', 'grant_id']))
      yield* tx.insert('mandate_authorities', { ...item, how: 'confirmed', given_at: date(now) })
    return []
  },
  *mandate_authorities_consent(tx, [ids, owner, client_id, grant_id, now]) {
    for (const mandate_id of (ids as string[]).toSorted()) {
      const row = tx.get('mandates', mandate_id)
      if (!row || row.owner_id !== owner || !(row.authorized_clients as string[]).includes(client_id as string))
        continue
      if (!['pending', 'active'].includes(row.state as string)) continue
      if (time(row.expires_at) <= time(now)) continue
      const given = { mandate_id, client_id, grant_id, how: 'consented', given_at: date(now) }
      yield* tx.insert('mandate_authorities', given, 'nothing')
    }
    return []
  },
  *mandate_authorities_of_grant(tx, [ids, client, grant]) {
    return tx
      .all('mandate_authorities')
      .filter((row) => row.client_id === client && row.grant_id === grant)
      .filter((row) => (ids as unknown[]).includes(row.mandate_id))
      .toSorted(by('mandate_id'))
      .map((row) => pick(row, ['mandate_id']))
  },
  *mandate_authorities_of_mandate(tx, [id]) {
    return authoritiesOf(tx, id).map((row) => pick(row, ['client_id', 'grant_id']))
  },
  *mandates_insert(tx, [text, now]) {
    for (const item of recordset(text, [...given, 'expires_at']))
      yield* tx.insert('mandates', {
        ...item,
        expires_at: date(item.expires_at),
        state: 'draft',
        suspend_operation_id: null,
        revoke_operation_id: null,
        upstream_reference: null,
        reserved_total: '0',
        reserved_count: 0,
        lost_total: '0',
        lost_count: 0,
        created_at: date(now),
        updated_at: date(now),
      })
    return []
  },
  *mandates_remove(tx, [ids]) {
    for (const id of ids as string[]) {
      if (yield* tx.lock('mandates', id)) tx.remove('mandates', id)
      for (const row of authoritiesOf(tx, id)) {
        const key = tx.table('mandate_authorities').keyOf(row)
        if (yield* tx.lock('mandate_authorities', key)) tx.remove('mandate_authorities', key)
      }
    }
    return []
  },
  *mandates_lock(tx, [ids, operationIds]) {
    const reserved = (operationIds as string[]).flatMap(
      (id) => (tx.get('mandate_reservations', id)?.mandate_id as string | undefined) ?? [],
    )
    const wanted = new Set([...(ids as string[]), ...reserved])
    return (yield* lockWhere(tx, 'mandates', (row) => wanted.has(row.id as string), by('id'))).map((row) =>
      pick(row, ['id']),
    )
  },
  *mandates_states(tx, [ids]) {
    const columns = ['id', 'state', 'suspend_operation_id', 'revoke_operation_id']
    return [...new Set(ids as string[])].flatMap((id) => {
      const row = tx.get('mandates', id)
      return row ? [pick(row, columns)] : []
    })
  },
  *mandates_move(tx, [text]) {
    const columns = ['id', 'state', 'suspend_operation_id', 'revoke_operation_id']
    for (const item of recordset(text, [...columns, 'upstream_reference', 'at'])) {
      const row = yield* tx.lock('mandates', item.id as string)
      if (row)
        tx.update('mandates', item.id as string, {
          ...pick(item, columns),
          updated_at: latest(row.updated_at, item.at),
          upstream_reference: item.upstream_reference ?? row.upstream_reference,
        })
    }
    return []
  },
  mandates_mark_suspend: mark('suspend_operation_id'),
  mandates_mark_revoke: mark('revoke_operation_id'),
  *mandates_reserve(tx, [text, day, week, month, now]) {
    for (const item of recordset(text, ['operation_id', 'mandate_id', 'amount'])) {
      const amount = new BigNumber(item.amount as string).toFixed()
      yield* tx.insert('mandate_reservations', {
        ...item,
        amount,
        day,
        week,
        month,
        reserved_at: date(now),
        released_at: null,
      })
      const mandate = yield* moveSums(tx, item.mandate_id, (row) => ({
        reserved_total: plus(row.reserved_total, amount),
        reserved_count: (row.reserved_count as number) + 1,
      }))
      if (mandate) yield* moveWindows(tx, mandate, { day, week, month }, (reserved) => plus(reserved, amount))
    }
    return []
  },
  *mandates_release(tx, [ids, at]) {
    for (const id of ids as string[]) {
      if (tx.get('mandate_reservations', id)?.released_at !== null) continue
      const held = yield* tx.lock('mandate_reservations', id)
      if (!held || held.released_at !== null) continue
      tx.update('mandate_reservations', id, { released_at: date(at) })
      const mandate = yield* moveSums(tx, held.mandate_id, (row) => ({
        reserved_total: minus(row.reserved_total, held.amount),
        reserved_count: (row.reserved_count as number) - 1,
      }))
      if (mandate) yield* moveWindows(tx, mandate, held, (reserved) => minus(reserved, held.amount))
    }
    return []
  },
  *mandates_largest_undecided(tx, [id, cap]) {
    const amounts = tx.all('mandate_reservations').flatMap((row) => {
      const write = tx.get('writes', row.operation_id as string)
      const counts = row.mandate_id === id && write?.settled === false && write.state === 'draft'
      return counts && new BigNumber(row.amount as string).gt(cap as string) ? [row.amount as string] : []
    })
    return [{ amount: amounts.length === 0 ? null : BigNumber.max(...amounts).toFixed() }]
  },
  *mandates_lower_caps(tx, [id, now, day, week, month, ...wanted]) {
    const windows = [
      ['day', day, wanted[1]],
      ['week', week, wanted[2]],
      ['month', month, wanted[3]],
    ] as const
    for (const [period, startsOn, cap] of windows) {
      const key = windowKey(id, period, startsOn)
      if (yield* tx.lock('mandate_windows', key)) tx.update('mandate_windows', key, { cap })
    }
    const row = yield* tx.lock('mandates', id as string)
    const lowered = Object.fromEntries(caps.map((cap, index) => [cap, wanted[index]]))
    if (row) tx.update('mandates', id as string, { ...lowered, updated_at: latest(row.updated_at, now) })
    return []
  },
  *mandate_reservations_remove(tx, [ids]) {
    for (const id of ids as string[])
      if (yield* tx.lock('mandate_reservations', id)) tx.remove('mandate_reservations', id)
    return []
  },
  *mandate_fences_want(tx, [ids, reason]) {
    for (const mandate_id of (ids as string[]).toSorted())
      yield* tx.insert('mandate_fences', { mandate_id, reason, confirmed: false, leased_until: null }, 'nothing')
    return []
  },
  *mandate_fences_lease(tx, [now, until, limit]) {
    const due = yield* takeSkippingLocked(tx, 'mandate_fences', {
      where: (row) => row.confirmed !== true && (row.leased_until === null || time(row.leased_until) <= time(now)),
      order: by('mandate_id'),
      limit: limit as number,
    })
    return due.map((row) => {
      const leased = tx.update('mandate_fences', row.mandate_id as string, { leased_until: dateOrNull(until) })
      return pick(leased, ['mandate_id', 'reason'])
    })
  },
  *mandate_fences_confirm(tx, [id]) {
    if (yield* tx.lock('mandate_fences', id as string))
      tx.update('mandate_fences', id as string, { confirmed: true, leased_until: null })
    return []
  },
  *mandate_fences_release(tx, [id]) {
    if (yield* tx.lock('mandate_fences', id as string))
      tx.update('mandate_fences', id as string, { leased_until: null })
    return []
  },
}
