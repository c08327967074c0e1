/**
 * The lock under which mandates are validated and moved. It locks their rows in the order of their ids, once for all the
 * kinds of a batch. A later statement then reads the state that the previous holder left.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'
import type { LockedWrite, MoveTo } from '@financial-agents/writes/write'

export const lockRows = statement(
  'mandates_lock',
  `WITH wanted AS MATERIALIZED (
     SELECT unnest($1::uuid[]) AS id
     UNION SELECT r.mandate_id FROM unnest($2::uuid[]) AS o(operation_id)
       JOIN mandate_reservations r ON r.operation_id = o.operation_id)
   SELECT m.id FROM wanted JOIN mandates m ON m.id = wanted.id ORDER BY m.id FOR UPDATE OF m`,
)

const keepsReservation: ReadonlySet<MoveTo | undefined> = new Set(['accepted', 'succeeded', 'gone'])

export async function lockMandates(tx: Queryable, writes: readonly LockedWrite[]): Promise<void> {
  const transfers = writes.filter(({ kind }) => kind === 'mandate_transfer')
  const drafted = transfers.flatMap(({ input }) => (input ? [(input as { mandate_id: string }).mandate_id] : []))
  const released = transfers.filter(({ input, to }) => !input && !keepsReservation.has(to))
  const others = writes.filter(({ kind, to }) => kind !== 'mandate_transfer' && to !== 'gone')
  const ids = [...others.map(({ resource_id }) => resource_id), ...drafted]
  if (ids.length + released.length === 0) return
  await tx.rows(lockRows, [ids, released.map(({ operation_id }) => operation_id)])
}
