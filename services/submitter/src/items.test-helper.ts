/** The items that tests of the store claim, and the outcome that the tests write for them. */

import { randomUUID } from 'node:crypto'
import type { Database } from '@financial-agents/postgres/database'
import { testMark } from '@financial-agents/witness/testing/witness'
import { type ClaimItem, recordClaims } from './store/claims.ts'
import type { Outcome } from './store/outcomes.ts'

/** An accepted operation to be claimed at `at`. */
export function newItem(at: Date): ClaimItem {
  const operation = {
    operation_id: randomUUID(),
    kind: 'beneficiary_create',
    resource_id: randomUUID(),
    state: 'accepted' as const,
    sequence: 1,
    owner_id: randomUUID(),
    subject: 'subject',
    client_id: 'client',
    grant_id: randomUUID(),
    binding_id: randomUUID(),
    mandate_id: randomUUID(),
    authority_ends_at: null,
    target_reference: null,
    accepted_at: at.toISOString(),
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`,
    payload_sealed: null,
  }
  const flags = { supported: true, sendable: true, beforeRecovery: false }
  const [leaseUntil, validUntil] = [30_000, 40_000].map((ms) => new Date(at.getTime() + ms)) as [Date, Date]
  return { attemptId: randomUUID(), operation, ...flags, at, leaseUntil, validUntil }
}

/** Claims with the mark of a writer for tests. */
export async function claimMarked(database: Database, items: readonly ClaimItem[], republishAfterMs: number) {
  return recordClaims(database, items, republishAfterMs, await testMark(database))
}

/** An operation id as an area generates it at this time. */
export function idMadeAt(time: Date): string {
  const digits = time.getTime().toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7${randomUUID().slice(15)}`
}

/** An outcome that leaves the operation open. */
export function outcomeOf({ operation, attemptId, at }: ClaimItem): Outcome {
  const nothing = { upstream_reference: null, resource: null, failure_code: null }
  return {
    operationId: operation.operation_id,
    attemptId,
    event: 'outcome_unknown',
    state: 'indeterminate',
    upstreamReference: null,
    resource: null,
    failureCode: 'provider_timeout',
    failureDetail: null,
    at,
    late: { outcome: 'uncertain', ...nothing, observed_at: at.toISOString() },
  }
}
