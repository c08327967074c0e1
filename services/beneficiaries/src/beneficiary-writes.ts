/**
 * The effects of a creation on the table: a draft that no read shows, and its moves with the operation. Only
 * `succeeded` activates the beneficiary.
 */

import { routeString } from '@financial-agents/contract/route'
import { beneficiariesRoutes } from '@financial-agents/contract/routes/beneficiaries'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { createdRows, goneResources } from '@financial-agents/writes/created-resources'
import type { Move, MoveTo, WriteKind } from '@financial-agents/writes/write'
import type { BeneficiaryRow } from './beneficiary-store.ts'

/** The columns that a creation fills. */
export type BeneficiaryInput = Omit<
  BeneficiaryRow,
  'id' | 'operation_id' | 'state' | 'upstream_reference' | 'created_at' | 'updated_at'
>

const insert = statement(
  'beneficiaries_insert',
  `INSERT INTO beneficiaries (id, operation_id, owner_id, name, nickname, country, currency, payout_schema_id, is_external,
     purpose_code, masked_details, state, created_at, updated_at)
   SELECT id, operation_id, owner_id, name, nickname, country, currency, payout_schema_id, is_external, purpose_code,
     masked_details, 'draft', $2, $2
   FROM jsonb_to_recordset($1::jsonb) AS d(id uuid, operation_id uuid, owner_id text, name text, nickname text,
     country text, currency text, payout_schema_id text, is_external boolean, purpose_code text, masked_details jsonb)`,
)

const move = statement(
  'beneficiaries_move',
  `WITH moves AS (
     SELECT b.id, m.state, m.at, m.upstream_reference
     FROM jsonb_to_recordset($1::jsonb) AS m(id uuid, state text, at timestamptz, upstream_reference text)
     JOIN beneficiaries b ON b.id = m.id ORDER BY b.id FOR UPDATE OF b)
   UPDATE beneficiaries b SET state = moves.state, updated_at = greatest(b.updated_at, moves.at),
     upstream_reference = coalesce(moves.upstream_reference, b.upstream_reference)
   FROM moves WHERE b.id = moves.id`,
)

const remove = statement('beneficiaries_remove', 'DELETE FROM beneficiaries WHERE id = ANY($1::uuid[])')

const stateOf: Record<Exclude<MoveTo, 'gone'>, string> = {
  accepted: 'pending',
  void: 'void',
  succeeded: 'active',
  failed: 'failed',
  cancelled: 'failed',
}

export const beneficiaryCreate: WriteKind<BeneficiaryInput, 'beneficiary_create'> = {
  kind: 'beneficiary_create',
  route: routeString(beneficiariesRoutes.createBeneficiary),
  draft: async (tx, drafts, now) => {
    await tx.rows(insert, [JSON.stringify(createdRows(drafts)), now])
    return new Map()
  },
  follow: async (tx, moves) => {
    await moveAll(tx, moves)
    const gone = goneResources(moves)
    if (gone.length > 0) await tx.rows(remove, [gone])
  },
}

async function moveAll(tx: Queryable, moves: readonly Move[]): Promise<void> {
  const rows = moves.flatMap(({ resource_id: id, to, at, upstream_reference }) =>
    to === 'gone' ? [] : [{ id, state: stateOf[to], at: to === 'accepted' ? null : at, upstream_reference }],
  )
  if (rows.length > 0) await tx.rows(move, [JSON.stringify(rows)])
}
