/** The operations of an owner for the owner's pages, from all clients: what is under way, the history, the sums. */

import type {
  OwnerActivity,
  OwnerActivityRequest,
  OwnerHistoryRequest,
  OwnerOperation,
  OwnerOperationAnswer,
  OwnerSpending,
} from '@financial-agents/bus/messages/owner-activity'
import { isSubmissionUncertain } from '@financial-agents/contract/machine'
import type { Queryable } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Clock } from '@financial-agents/runtime/clock'
import { sumDays } from '../store/ceiling-days.ts'
import { listWaiting } from '../store/confirmation-intents.ts'
import {
  countInFlight,
  findOfOwner,
  listHistory,
  listInFlight,
  listLatestOfGrants,
  type OwnerRow,
} from '../store/owner-activity.ts'
import { type Opening, openReference } from '../transfer-view.ts'

export function createOwnerActivity(db: Queryable, clock: Clock) {
  return async ({ owner_id, active_grants }: OwnerActivityRequest): Promise<OwnerActivity> => {
    const waits = active_grants ?? null
    const [counts, inFlight, latest, waiting] = await Promise.all([
      countInFlight(db, owner_id, waits),
      listInFlight(db, owner_id),
      listLatestOfGrants(db, owner_id),
      listWaiting(db, owner_id, { now: clock.now(), grants: waits }),
    ])
    return {
      counts: { ...counts, confirmation: waiting[0]?.open ?? 0 },
      in_flight: inFlight.map((row) => {
        const operation = toOwnerOperation(row)
        return waits === null || waits.includes(row.grant_id) ? operation : { ...operation, approval: null }
      }),
      latest: latest.map(toOwnerOperation),
      intents: waiting.map(({ id, created_at, expires_at, open: _all, ...intent }) => ({
        ...intent,
        intent_id: id,
        created_at: created_at.toISOString(),
        expires_at: expires_at.toISOString(),
      })),
    }
  }
}

export function createOwnerHistory(db: Queryable) {
  return async (request: OwnerHistoryRequest): Promise<OwnerOperation[]> =>
    (await listHistory(db, request)).map(toOwnerOperation)
}

export function createOwnerOperation(db: Queryable, opening: Opening) {
  return async (asked: { owner_id: string; operation_id: string }): Promise<OwnerOperationAnswer> => {
    const found = isUuid(asked.operation_id) && (await findOfOwner(db, asked.owner_id, asked.operation_id))
    if (!found) return null
    const operation = toOwnerOperation(found.row)
    const moves = found.moves.map(({ to, at }) => ({ to, at: at.toISOString() }))
    // The archive keeps the outcome of an operation and removes the moves to it.
    const isWhole = moves.some(({ to }) => to === operation.state)
    const course = isWhole ? moves : [...moves, { to: operation.state, at: operation.updated_at }]
    const { reference_sealed, resource_id } = found.row
    const memo = reference_sealed && openReference(reference_sealed, resource_id, opening)
    return { operation, moves: course, memo }
  }
}

export function createOwnerSpending(db: Queryable, clock: Clock) {
  return ({ owner_id }: { owner_id: string }): Promise<OwnerSpending[]> =>
    sumDays(db, owner_id, clock.now().toISOString().slice(0, 10))
}

function toOwnerOperation(row: OwnerRow): OwnerOperation {
  const { amount, currency, beneficiary_id, mandate_id, action_required: action } = row
  const pays = amount !== null && currency !== null && beneficiary_id !== null
  return {
    operation_id: row.id,
    client_id: row.client_id,
    grant_id: row.grant_id,
    kind: row.kind,
    state: row.state,
    resource_type: row.resource_type,
    resource_id: row.resource_id,
    submission_uncertain: isSubmissionUncertain(row.state),
    failure_code: row.failure_code,
    upstream_reference: row.upstream_reference,
    payment: pays ? { amount, currency, beneficiary_id, mandate_id } : null,
    approval: row.state === 'requires_action' && action ? { url: action.url, expires_at: action.expires_at } : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
