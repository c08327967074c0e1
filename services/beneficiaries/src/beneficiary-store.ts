/** The owner's beneficiaries as the API shows them. No read returns drafts or void rows (write protocol, rule 14). */

import type { KnownBeneficiary } from '@financial-agents/bus/messages/resources'
import type { Position } from '@financial-agents/contract/cursor'
import type { Beneficiary } from '@financial-agents/contract/schemas/beneficiary'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'

export type BeneficiaryRow = {
  id: string
  name: string
  nickname: string | null
  country: string
  currency: string
  payout_schema_id: string
  is_external: boolean
  purpose_code: string | null
  masked_details: Record<string, string>
  state: Beneficiary['state']
  operation_id: string
  created_at: Date
  updated_at: Date
  /** The provider's own reference, once known. Never shown. */
  upstream_reference: string | null
}

const columns = `id, name, nickname, country, currency, payout_schema_id, is_external, purpose_code, masked_details, state,
  operation_id, created_at, updated_at, upstream_reference`
const visible = `state IN ('pending', 'active', 'failed')`

const oneBeneficiary = statement(
  'beneficiaries_one',
  `SELECT ${columns} FROM beneficiaries WHERE id = $1 AND owner_id = $2 AND ${visible}`,
)

/** Returns undefined for a foreign, a malformed or an unknown id, and for a beneficiary that is not accepted. */
export async function findBeneficiary(
  db: Queryable,
  ownerId: string,
  id: string,
): Promise<KnownBeneficiary | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await db.rows<BeneficiaryRow>(oneBeneficiary, [id, ownerId])
  return row && { ...toBeneficiary(row), upstream_reference: row.upstream_reference }
}

const names = statement(
  'beneficiaries_names',
  `SELECT id, name AS beneficiary_name FROM beneficiaries WHERE id = ANY ($1::uuid[]) AND owner_id = $2 AND ${visible}`,
)

/** Lists names by id. A beneficiary of another owner, or one that was not accepted, is left out. */
export function listNames(
  db: Queryable,
  ownerId: string,
  ids: readonly string[],
): Promise<{ id: string; beneficiary_name: string }[]> {
  return db.rows(names, [ids, ownerId])
}

export const firstPage = statement(
  'beneficiaries_first_page',
  `SELECT ${columns} FROM beneficiaries WHERE owner_id = $1 AND ${visible} ORDER BY created_at DESC, id DESC LIMIT $2`,
)

export const nextPage = statement(
  'beneficiaries_next_page',
  `SELECT ${columns} FROM beneficiaries WHERE owner_id = $1 AND ${visible} AND (created_at, id) < ($3::timestamptz, $4::uuid)
   ORDER BY created_at DESC, id DESC LIMIT $2`,
)

/** Lists beneficiaries, newest first, after the position `after`. */
export async function listBeneficiaries(
  db: Queryable,
  ownerId: string,
  limit: number,
  after: Position | undefined,
): Promise<Beneficiary[]> {
  const rows = after
    ? await db.rows<BeneficiaryRow>(nextPage, [ownerId, limit, after.created_at, after.id])
    : await db.rows<BeneficiaryRow>(firstPage, [ownerId, limit])
  return rows.map(toBeneficiary)
}

function toBeneficiary({ upstream_reference: _hidden, ...row }: BeneficiaryRow): Beneficiary {
  return { ...row, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() }
}
