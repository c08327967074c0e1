/**
 * The payments that the events of owners report. `is_first` is true for the first payment of an owner to a payee. A
 * failed payment counts as an earlier one, because the owner heard of it when it was accepted.
 */

import type { OwnerPayment } from '@financial-agents/bus/messages/owner-events'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'

// The owner's payments are read up to the first one to the payee.
export const ownerPayments = statement(
  'owner_payments',
  `SELECT t.operation_id, o.kind, t.owner_id, t.client_id, t.mandate_id, t.beneficiary_id, t.amount::text AS amount, t.currency,
    t.created_at, NOT EXISTS (SELECT FROM transfers earlier
      WHERE earlier.owner_id = t.owner_id AND earlier.beneficiary_id = t.beneficiary_id
        AND (earlier.created_at, earlier.id) < (t.created_at, t.id)) AS is_first
  FROM unnest($1::uuid[]) AS item (id)
  CROSS JOIN LATERAL (SELECT * FROM transfers WHERE operation_id = item.id LIMIT 1) t
  CROSS JOIN LATERAL (SELECT kind FROM operations WHERE id = item.id LIMIT 1) o`,
)

export async function listOwnerPayments(db: Queryable, operationIds: readonly string[]): Promise<OwnerPayment[]> {
  type Row = Omit<OwnerPayment, 'accepted_at'> & { created_at: Date }
  const rows = await db.rows<Row>(ownerPayments, [operationIds.filter(isUuid)])
  return rows.map(({ created_at, ...row }) => ({ ...row, accepted_at: created_at.toISOString() }))
}
