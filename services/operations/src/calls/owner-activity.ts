/** The operations of an owner for the account page, from all clients. */

import type { OwnerActivity, OwnerOperation } from '@financial-agents/bus/messages/owner-activity'
import { isSubmissionUncertain } from '@financial-agents/operation-machine/machine'
import type { Queryable } from '@financial-agents/postgres/database'
import { listInFlight, listLatestOfGrants, type OwnerRow } from '../store/owner-activity.ts'

export function createOwnerActivity(db: Queryable) {
  return async ({ owner_id }: { owner_id: string }): Promise<OwnerActivity> => {
    const [inFlight, latest] = await Promise.all([listInFlight(db, owner_id), listLatestOfGrants(db, owner_id)])
    return { in_flight: inFlight.map(toOwnerOperation), latest: latest.map(toOwnerOperation) }
  }
}

function toOwnerOperation(row: OwnerRow): OwnerOperation {
  return {
    operation_id: row.id,
    client_id: row.client_id,
    grant_id: row.grant_id,
    kind: row.kind,
    state: row.state,
    resource_type: row.resource_type,
    submission_uncertain: isSubmissionUncertain(row.state),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
