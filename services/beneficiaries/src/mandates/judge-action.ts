/**
 * What every write on a mandate needs of it before its draft: that this client sees it, and by what reference the provider
 * knows it. State and caps count only under the lock, where the draft judges them.
 */

import type { HandlerContext } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import { getBindingId } from '@financial-agents/provider-reads/reader'
import type { Parts } from '../parts.ts'
import { findRevokeRefusal, notActive } from './judgement.ts'
import { visibleState } from './machine.ts'
import { findMandate, type MandateRow } from './store.ts'

type Reading = Pick<Parts, 'db' | 'clock'>
type Seer = Pick<HandlerContext, 'principal' | 'traceparent'>

/** @throws Problem mandate_not_found; provider_connection_unavailable, since nothing could be submitted */
export async function getMandateRow(parts: Reading, context: Seer, mandateId: string): Promise<MandateRow> {
  getBindingId(context)
  const row = await findMandate(parts.db, context.principal, mandateId, parts.clock.now())
  if (!row) throw new Problem('mandate_not_found')
  return row
}

/** @throws Problem mandate_not_active where the provider never made it, so that it cannot be named */
export function getReference(row: MandateRow, now: Date): string {
  if (row.upstream_reference === null) throw notActive(visibleState(row, now))
  return row.upstream_reference
}

/**
 * A suspension or revocation, which says nothing beside the mandate. What is under way is judged by the draft alone: an equal
 * request joins the draft that began it.
 */
export async function judgeAction(parts: Reading, context: Seer, mandateId: string) {
  const row = await getMandateRow(parts, context, mandateId)
  return {
    resource_id: row.id,
    input: null,
    payload: {},
    mandate_id: row.id,
    target_reference: getReference(row, parts.clock.now()),
  }
}

/**
 * Everything that refuses a revocation now, what its draft judges included: nothing is drafted.
 * @throws Problem as the revocation itself would be refused, but for its confirmation
 */
export async function checkRevocation(parts: Reading, context: Seer, mandateId: string): Promise<void> {
  const row = await getMandateRow(parts, context, mandateId)
  const now = parts.clock.now()
  getReference(row, now)
  const refusal = findRevokeRefusal(row, now)
  if (refusal) throw refusal
}
