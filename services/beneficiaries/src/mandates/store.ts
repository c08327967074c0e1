/**
 * Mandates as they are read and validated: the row, the remainders of its limits in the current windows, and the state
 * derived from both. No read returns drafts or void rows (write protocol, rule 14).
 */

import type { MandateAuthority, OwnerMandate } from '@financial-agents/bus/messages/resources'
import { windowsAt } from '@financial-agents/contract/cap-windows'
import type { Position } from '@financial-agents/contract/cursor'
import type { Mandate } from '@financial-agents/contract/schemas/mandate'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { type StoredState, visibleState } from './machine.ts'

/** Numeric columns are returned as canonical decimals. */
export type MandateRow = {
  id: string
  operation_id: string
  owner_id: string
  client_id: string
  beneficiary_id: string
  beneficiary_name: string
  currency: string
  authorized_clients: string[]
  authorized_rules: string[]
  per_payment_max: string
  daily_max: string
  weekly_max: string
  monthly_max: string
  total_cap: string
  payment_count: number
  expires_at: Date
  state: StoredState
  suspend_operation_id: string | null
  revoke_operation_id: string | null
  upstream_reference: string | null
  remaining_daily: string
  remaining_weekly: string
  remaining_monthly: string
  remaining_total: string
  remaining_payments: number
  used_up: boolean
  /** The grants that may pay, ended grants included. */
  authorities: MandateAuthority[]
  fence_confirmed: boolean
  created_at: Date
  updated_at: Date
}

// Never negative, although a limit that was lowered by a process with another clock may be below the amount of its window, and payments
// of a time that the database lost may exceed it.
const left = (cap: string, period: string, starts: string) =>
  `trim_scale(greatest(0, ${cap} - coalesce((SELECT w.reserved FROM mandate_windows w
     WHERE w.mandate_id = m.id AND w.period = '${period}' AND w.starts_on = ${starts}::date), 0)))::text`

const fenceConfirmed = 'NOT EXISTS (SELECT FROM mandate_fences f WHERE f.mandate_id = m.id AND NOT f.confirmed)'

/** $1–$3: the current windows. */
const columns = `m.id, m.operation_id, m.owner_id, m.client_id, m.beneficiary_id, b.name AS beneficiary_name, m.currency,
  m.authorized_clients, m.authorized_rules, m.per_payment_max::text, m.daily_max::text, m.weekly_max::text, m.monthly_max::text,
  m.total_cap::text, m.payment_count, m.expires_at, m.state, m.suspend_operation_id, m.revoke_operation_id, m.upstream_reference,
  ${left('m.daily_max', 'day', '$1')} AS remaining_daily,
  ${left('m.weekly_max', 'week', '$2')} AS remaining_weekly,
  ${left('m.monthly_max', 'month', '$3')} AS remaining_monthly,
  trim_scale(greatest(0, m.total_cap - m.reserved_total))::text AS remaining_total,
  greatest(0, m.payment_count - m.reserved_count) AS remaining_payments,
  m.reserved_total >= m.total_cap OR m.reserved_count >= m.payment_count AS used_up,
  coalesce((SELECT jsonb_agg(jsonb_build_object('client_id', a.client_id, 'grant_id', a.grant_id) ORDER BY a.client_id, a.grant_id)
     FROM mandate_authorities a WHERE a.mandate_id = m.id), '[]') AS authorities,
  ${fenceConfirmed} AS fence_confirmed,
  m.created_at, m.updated_at
  FROM mandates m JOIN beneficiaries b ON b.id = m.beneficiary_id`
const visible = `m.state NOT IN ('draft', 'void')`
/** The client that created the mandate, or a client that it authorises. Null stands for any client. */
const seenBy = (client: string) =>
  `(${client}::text IS NULL OR m.client_id = ${client} OR ${client} = ANY (m.authorized_clients))`
const newestFirst = 'ORDER BY m.created_at DESC, m.id DESC'

export const oneMandate = statement(
  'mandates_one',
  `SELECT ${columns} WHERE m.id = $4 AND m.owner_id = $5 AND ${visible} AND ${seenBy('$6')}`,
)

/** Returns undefined for a mandate that is missing, not accepted, or not visible to this client. */
export async function findMandate(
  db: Queryable,
  seer: { owner_id: string; client_id: string | null },
  id: string,
  now: Date,
): Promise<MandateRow | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await db.rows<MandateRow>(oneMandate, [...starts(now), id, seer.owner_id, seer.client_id])
  return row
}

export const mandatesById = statement('mandates_by_id', `SELECT ${columns} WHERE m.id = ANY ($4::uuid[])`)

/** Reads mandates for decisions under the lock, invisible rows included. */
export async function readMandates(tx: Queryable, ids: readonly string[], now: Date): Promise<Map<string, MandateRow>> {
  const rows = await tx.rows<MandateRow>(mandatesById, [...starts(now), ids])
  return new Map(rows.map((row) => [row.id, row]))
}

export const firstMandates = statement(
  'mandates_first_page',
  `SELECT ${columns} WHERE m.owner_id = $4 AND ${visible} AND ${seenBy('$5')} ${newestFirst} LIMIT $6`,
)

export const nextMandates = statement(
  'mandates_next_page',
  `SELECT ${columns} WHERE m.owner_id = $4 AND ${visible} AND ${seenBy('$5')}
     AND (m.created_at, m.id) < ($7::timestamptz, $8::uuid) ${newestFirst} LIMIT $6`,
)

/** Lists mandates, newest first, after the position `after`. */
export function listMandates(
  db: Queryable,
  seer: { owner_id: string; client_id: string | null },
  limit: number,
  after: Position | undefined,
  now: Date,
): Promise<MandateRow[]> {
  const values = [...starts(now), seer.owner_id, seer.client_id, limit]
  return after
    ? db.rows<MandateRow>(nextMandates, [...values, after.created_at, after.id])
    : db.rows<MandateRow>(firstMandates, values)
}

/**
 * True for mandates that are not over: every state of `visibleState` but `revoked`, `expired` and `failed`. $5: now.
 */
const running = `(m.state NOT IN ('draft', 'void', 'revoked', 'failed') AND NOT (m.state IN ('active', 'suspended') AND m.expires_at <= $5)
     OR m.state = 'revoked' AND NOT ${fenceConfirmed})`

export const runningMandates = statement(
  'mandates_running',
  `SELECT ${columns} WHERE m.owner_id = $4 AND ${running}
     AND (m.created_at, m.id) < ($6::timestamptz, $7::uuid) ${newestFirst} LIMIT $8`,
)

export const overMandates = statement(
  'mandates_over',
  `SELECT ${columns} WHERE m.owner_id = $4 AND ${visible} AND NOT ${running} ${newestFirst} LIMIT $6`,
)

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Lists an owner's mandates that are not over, of all clients, newest first, after the position `after`. */
export function listRunning(
  db: Queryable,
  owner_id: string,
  after: Position | null,
  limit: number,
  now: Date,
): Promise<MandateRow[]> {
  const from = after ?? { created_at: 'infinity', id: lastId }
  return db.rows<MandateRow>(runningMandates, [...starts(now), owner_id, now, from.created_at, from.id, limit])
}

/** Lists the newest mandates that are over. */
export function listOver(db: Queryable, owner_id: string, limit: number, now: Date): Promise<MandateRow[]> {
  return db.rows<MandateRow>(overMandates, [...starts(now), owner_id, now, limit])
}

export function toMandate(row: MandateRow, now: Date): Mandate {
  const { id, beneficiary_id, currency, authorized_clients, authorized_rules, payment_count, operation_id } = row
  const { per_payment_max, daily_max, weekly_max, monthly_max, total_cap } = row
  return {
    id,
    beneficiary_id,
    // No read returns invisible rows.
    state: visibleState(row, now) as Mandate['state'],
    currency,
    authorized_clients,
    authorized_rules,
    per_payment_max,
    daily_max,
    weekly_max,
    monthly_max,
    total_cap,
    payment_count,
    remaining: {
      daily: row.remaining_daily,
      weekly: row.remaining_weekly,
      monthly: row.remaining_monthly,
      total: row.remaining_total,
      payments: row.remaining_payments,
    },
    expires_at: row.expires_at.toISOString(),
    operation_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export function toOwnerMandate(row: MandateRow, now: Date): OwnerMandate {
  const { client_id, beneficiary_name, authorities } = row
  return { ...toMandate(row, now), client_id, beneficiary_name, authorities }
}

function starts(now: Date): string[] {
  const { day, week, month } = windowsAt(now)
  return [day, week, month]
}

const payees = statement(
  'mandates_payees',
  `SELECT m.id, b.name AS beneficiary_name FROM mandates m JOIN beneficiaries b ON b.id = m.beneficiary_id
   WHERE m.id = ANY ($1::uuid[]) AND m.owner_id = $2 AND ${visible}`,
)

/**
 * Lists the names of the beneficiaries that these mandates pay. Leaves out mandates of other owners, and mandates that
 * were not accepted.
 */
export function listPayeesOfMandates(
  db: Queryable,
  ownerId: string,
  ids: readonly string[],
): Promise<{ id: string; beneficiary_name: string }[]> {
  return db.rows(payees, [ids, ownerId])
}
