/**
 * Checks that every write on a mandate makes before its draft: this client can see the mandate, and the provider knows
 * it by a reference. The draft validates state and limits under the lock.
 */

import type { HandlerContext } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import { getBindingId } from '@financial-agents/provider-client/reader'
import type { ReadingDependencies } from '../dependencies.ts'
import { findRevokeRefusal, notActive } from './decision.ts'
import { visibleState } from './machine.ts'
import { findSettledMandate } from './settled-mandates.ts'
import type { MandateRow } from './store.ts'

type Seer = Pick<HandlerContext, 'principal' | 'traceparent'>

/** @throws Problem mandate_not_found; provider_connection_unavailable, because nothing could be submitted */
export async function getMandateRow(
  dependencies: ReadingDependencies,
  context: Seer,
  mandateId: string,
): Promise<MandateRow> {
  getBindingId(context)
  const row = await findSettledMandate(dependencies, context.principal, mandateId, dependencies.clock.now())
  if (!row) throw new Problem('mandate_not_found')
  return row
}

/** @throws Problem mandate_not_active if the provider never created the mandate, so that no reference exists */
export function getReference(row: MandateRow, now: Date): string {
  if (row.upstream_reference === null) throw notActive(visibleState(row, now))
  return row.upstream_reference
}

/**
 * The input of a suspension or revocation. Only the draft validates operations under way, so that an equal request joins
 * the draft that began one.
 */
export async function validateAction(dependencies: ReadingDependencies, context: Seer, mandateId: string) {
  return actionOn(await getMandateRow(dependencies, context, mandateId), dependencies.clock.now())
}

/** The same for a mandate that is known to be the owner's. @throws Problem mandate_not_active */
export function actionOn(row: MandateRow, now: Date) {
  return {
    resource_id: row.id,
    input: null,
    payload: {},
    mandate_id: row.id,
    target_reference: getReference(row, now),
  }
}

/**
 * Makes every check that refuses a revocation now, those of its draft included, and drafts nothing.
 * @throws Problem with which the revocation itself would be refused, its confirmation aside
 */
export async function checkRevocation(
  dependencies: ReadingDependencies,
  context: Seer,
  mandateId: string,
): Promise<void> {
  const row = await getMandateRow(dependencies, context, mandateId)
  const now = dependencies.clock.now()
  getReference(row, now)
  const refusal = findRevokeRefusal(row, now)
  if (refusal) throw refusal
}
