/** The effects of a mandate's creation on the table: a draft that no read shows, and its moves with the operation. */

import type { MandateAuthority } from '@financial-agents/bus/messages/resources'
import { routeString } from '@financial-agents/contract/route'
import { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { statement } from '@financial-agents/postgres/database'
import { createdRows, goneResources } from '@financial-agents/writes/created-resources'
import type { WriteKind } from '@financial-agents/writes/write'
import { recordConfirmed } from './authority-store.ts'
import { lockMandates } from './lock.ts'
import { followMandates } from './moves.ts'

/** The columns that a creation fills. Limits are canonical decimals. */
export type MandateInput = {
  grant_id: string
  beneficiary_id: string
  currency: string
  authorized_clients: string[]
  authorized_rules: string[]
  per_payment_max: string
  daily_max: string
  weekly_max: string
  monthly_max: string
  total_cap: string
  payment_count: number
  expires_at: string
  /** The grants by which the mandate may be paid. */
  authorities: MandateAuthority[]
}

const insert = statement(
  'mandates_insert',
  `INSERT INTO mandates (id, operation_id, owner_id, client_id, grant_id, beneficiary_id, currency, authorized_clients,
     authorized_rules, per_payment_max, daily_max, weekly_max, monthly_max, total_cap, payment_count, expires_at, state,
     created_at, updated_at)
   SELECT id, operation_id, owner_id, client_id, grant_id, beneficiary_id, currency, authorized_clients, authorized_rules,
     per_payment_max, daily_max, weekly_max, monthly_max, total_cap, payment_count, expires_at, 'draft', $2, $2
   FROM jsonb_to_recordset($1::jsonb) AS d(id uuid, operation_id uuid, owner_id text, client_id text, grant_id text,
     beneficiary_id uuid, currency text, authorized_clients text[], authorized_rules text[], per_payment_max numeric,
     daily_max numeric, weekly_max numeric, monthly_max numeric, total_cap numeric, payment_count int,
     expires_at timestamptz)`,
)

const remove = statement(
  'mandates_remove',
  `WITH authorities AS (DELETE FROM mandate_authorities WHERE mandate_id = ANY ($1::uuid[]))
   DELETE FROM mandates WHERE id = ANY ($1::uuid[])`,
)

export const mandateCreate: WriteKind<MandateInput, 'mandate_create'> = {
  kind: 'mandate_create',
  route: routeString(mandatesRoutes.createMandate),
  lock: lockMandates,
  draft: async (tx, drafts, now) => {
    const rows = createdRows(drafts)
    await tx.rows(insert, [JSON.stringify(rows), now])
    const given = rows.flatMap(({ id, authorities }) => authorities.map((one) => ({ ...one, mandate_id: id })))
    await recordConfirmed(tx, given, now)
    return new Map()
  },
  follow: async (tx, moves) => {
    await followMandates(tx, 'create', moves)
    const gone = goneResources(moves)
    if (gone.length > 0) await tx.rows(remove, [gone])
  },
}
