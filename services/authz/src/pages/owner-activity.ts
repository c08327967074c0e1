/**
 * An owner's operations, payments and sums for the pages, as operations answers them, and the names of payees, as
 * beneficiaries answers them. A service that does not answer leaves out its part of a page.
 */

import {
  type OwnerActivity,
  type OwnerHistoryRequest,
  type OwnerOperation,
  type OwnerOperationAnswer,
  type OwnerSpending,
} from '@financial-agents/bus/messages/owner-activity'
import { call } from '@financial-agents/bus/rpc'
import { accountPageClient } from '@financial-agents/contract/principal'
import type { Payees } from '@financial-agents/owner-pages/payees'
import { activeIds } from '@financial-agents/owner-pages/reach'
import { callContext } from '@financial-agents/pages/tunnel/call-context'
import { listGrantsOfOwner } from '../store/owner-grants.ts'
import { unlessSilent } from './owner-mandates.ts'
import type { PageTools } from './page-tools.ts'

/** Finds the owner's operations, without approvals under ended access. Returns undefined if operations does not answer. */
export async function findActivity(tools: PageTools, owner_id: string): Promise<OwnerActivity | undefined> {
  const grants = await listGrantsOfOwner(tools.db, owner_id, tools.clock.now())
  const active_grants = [accountPageClient, ...activeIds(grants)]
  return unlessSilent(tools, 'operations', () =>
    call(tools.bus, 'int.operations.owner-activity', { owner_id, active_grants }, callContext()),
  )
}

/** Returns undefined if operations does not answer. */
export function findHistory(tools: PageTools, request: OwnerHistoryRequest): Promise<OwnerOperation[] | undefined> {
  return unlessSilent(tools, 'the history', () =>
    call(tools.bus, 'int.operations.owner-history', request, callContext()),
  )
}

/** Returns undefined if operations does not answer. */
export function findSpending(tools: PageTools, owner_id: string): Promise<OwnerSpending[] | undefined> {
  return unlessSilent(tools, 'the sums of payments', () =>
    call(tools.bus, 'int.operations.owner-spending', { owner_id }, callContext()),
  )
}

/** Returns null if the owner has no such operation. */
export function findOperation(
  { bus }: PageTools,
  owner_id: string,
  operation_id: string,
): Promise<OwnerOperationAnswer> {
  return call(bus, 'int.operations.owner-operation', { owner_id, operation_id }, callContext())
}

/** Finds the payees of operations. The map is empty if beneficiaries does not answer. */
export async function findPayees(
  tools: PageTools,
  owner_id: string,
  operations: readonly OwnerOperation[],
): Promise<Payees> {
  const idsOf = (type: 'beneficiary' | 'mandate') =>
    operations.flatMap(({ resource_type, resource_id }) => (resource_type === type ? [resource_id] : []))
  const paid = operations.flatMap(({ payment }) => (payment ? [payment.beneficiary_id] : []))
  const beneficiary_ids = [...new Set([...paid, ...idsOf('beneficiary')])]
  const mandate_ids = [...new Set(idsOf('mandate'))]
  if (beneficiary_ids.length === 0 && mandate_ids.length === 0) return new Map()
  const names = await unlessSilent(tools, 'the names of payees', () =>
    call(tools.bus, 'int.beneficiaries.owner-names', { owner_id, beneficiary_ids, mandate_ids }, callContext()),
  )
  return new Map(names?.map(({ id, beneficiary_name }) => [id, beneficiary_name]))
}
