/**
 * The claim: one INSERT that writes an operation's permanent row and decides what becomes of the operation. The INSERT validates
 * the fences, and the end of the authority by time. The shared lock is taken first, so its snapshot sees every fence that was reported.
 *
 * A kind that ends the use of its own resource raises that fence in the same transaction, under the exclusive lock. Its
 * provider call, and so its success, comes after the last claim that the fence did not stop.
 *
 * Invariant: an item may call the provider only if its own attempt id comes back as `submitting` from a commit that was
 * answered. In every other case, an unanswered commit included, the item has not won.
 */

import type { StoppedRequest } from '@financial-agents/bus/messages/authority'
import type { AcceptedOperation } from '@financial-agents/bus/messages/operations'
import { type FenceTarget, isOperationKind, kindFacts } from '@financial-agents/contract/kinds'
import { findArchivedIds, mayBeArchived } from '@financial-agents/postgres/archive/horizon'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Mark } from '@financial-agents/witness/witness'
import type { SubmissionRow } from '../submission.ts'

/** Key of the advisory lock that claims take shared and fences take exclusive: "submit" in ASCII. */
export const fenceLock = '126947999705460'

export type ClaimItem = {
  attemptId: string
  operation: AcceptedOperation
  /** True if the adapter supports this kind. */
  supported: boolean
  /** False if the payload or the credentials are missing: the item can be cancelled or failed, never sent. */
  sendable: boolean
  /**
   * True if the operation is from before the recovery point: a lost attempt may have submitted it. The claim also validates
   * the archive's horizon.
   */
  beforeRecovery: boolean
  at: Date
  leaseUntil: Date
  /** The deadline that is sent to the provider. */
  validUntil: Date
}

// The lock is a statement of its own, so that the INSERT's snapshot is younger than the lock. The setting makes the claim
// durable before the provider is called, even if the role's default is another.
// It counts the claim for the witness, and refuses it in a database that is not proven to be the newest (rule 20).
const lockedBy = (lock: string) =>
  `SELECT set_config('synchronous_commit', 'on', true), mark($1, $2, $3), ${lock}(${fenceLock})`
const lock = statement('claim_lock', lockedBy('pg_advisory_xact_lock_shared'))
const exclusiveLock = statement('claim_exclusive_lock', lockedBy('pg_advisory_xact_lock'))

const raise = statement(
  'claim_raise_fences',
  `INSERT INTO fences (target, target_id, reason, fenced_at)
   SELECT target, target_id, reason, fenced_at
   FROM json_to_recordset($1) AS f(target text, target_id text, reason text, fenced_at timestamptz)
   ORDER BY target, target_id
   ON CONFLICT DO NOTHING`,
)

/** The columns of an item as the INSERT reads them, with their types. */
const itemColumns = {
  operation_id: 'uuid',
  attempt_id: 'uuid',
  kind: 'text',
  resource_id: 'text',
  owner_id: 'text',
  subject: 'text',
  client_id: 'text',
  grant_id: 'text',
  binding_id: 'text',
  mandate_id: 'text',
  target_reference: 'text',
  traceparent: 'text',
  base_sequence: 'integer',
  stop_grant: 'text',
  stop_client: 'text',
  stop_binding: 'text',
  stop_mandate: 'text',
  authority_ends_at: 'timestamptz',
  supported: 'boolean',
  sendable: 'boolean',
  before_recovery: 'boolean',
  at: 'timestamptz',
  lease_until: 'timestamptz',
  valid_until: 'timestamptz',
} as const
type ItemColumn = keyof typeof itemColumns
const itemNames = Object.keys(itemColumns) as ItemColumn[]

/** SQL that is true for an item that a fence stops. OFFSET 0: see `insert`. */
export const isStopped = ['grant', 'client', 'binding', 'mandate']
  .map((target) => `EXISTS (SELECT FROM fences WHERE target = '${target}' AND target_id = stop_${target} OFFSET 0)`)
  .join('\n         OR ')

// The claimed rows enter the outbox as one batch.
// `stop_*` is null if the kind passes that fence. The rows are sorted, so that two replicas with the same ids wait for each
// other in one direction. OFFSET 0 makes each look at a fence one probe of its index. Without it PostgreSQL may read all
// fences first, and their number only grows.
const insert = statement(
  'claim_insert',
  `WITH item AS (
     SELECT * FROM unnest(${itemNames.map((name, index) => `$${index + 1}::${itemColumns[name]}[]`).join(', ')})
       AS i(${itemNames.join(', ')})
   ), validated AS MATERIALIZED (
     SELECT item.*, CASE
       WHEN before_recovery THEN 'indeterminate'
       WHEN authority_ends_at <= at OR ${isStopped} THEN 'cancelled'
       WHEN NOT supported THEN 'failed'
       ELSE 'submitting' END AS state
     FROM item
   ), effect (state, steps, event, failure_code, failure_detail) AS (VALUES
     ('submitting', 1, NULL, NULL, NULL),
     ('cancelled', 1, 'cancel_before_submission', 'authority_withdrawn',
       'The authority had ended before anything was sent.'),
     ('failed', 1, 'fail_before_submission', 'operation_kind_unsupported',
       'The provider does not offer this kind of operation; nothing was sent.'),
     ('indeterminate', 2, 'lease_expired', 'attempt_interrupted',
       'The record of the attempt was lost; the provider may have accepted the request.')
   ), claimed AS (
     INSERT INTO submissions (operation_id, attempt_id, kind, resource_id, owner_id, subject, client_id, grant_id,
       binding_id, mandate_id, target_reference, traceparent, state, base_sequence, sequence, claimed_at, lease_until,
       valid_until, outcome_event, outcome_at, failure_code, failure_detail)
     SELECT operation_id, attempt_id, kind, resource_id, owner_id, subject, client_id, grant_id, binding_id, mandate_id,
       target_reference, traceparent, state, base_sequence, base_sequence + steps, at, lease_until,
       CASE WHEN state = 'submitting' THEN valid_until END, event,
       CASE WHEN event IS NOT NULL THEN at END, failure_code, failure_detail
     FROM validated JOIN effect USING (state)
     WHERE sendable OR state <> 'submitting'
     ORDER BY operation_id
     ON CONFLICT (operation_id) DO NOTHING
     RETURNING operation_id, attempt_id, state, sequence, outcome_event, failure_code, failure_detail, lease_until
   ), noted AS (
     INSERT INTO outbox (batch_id, operation_ids, lease_until, republish_at)
     SELECT $${itemNames.length + 1}::uuid, array_agg(operation_id), max(lease_until) FILTER (WHERE state = 'submitting'),
       $${itemNames.length + 2}::timestamptz
     FROM claimed HAVING count(*) > 0
   )
   SELECT attempt_id, state, sequence, outcome_event, failure_code, failure_detail FROM claimed`,
)

/** The columns of a row that its claim decided. All others are the item's own. */
type ClaimRow = Pick<
  SubmissionRow,
  'attempt_id' | 'state' | 'sequence' | 'outcome_event' | 'failure_code' | 'failure_detail'
>

/** Answers the rows that this batch wrote. An operation without a row was claimed before, or cannot be claimed yet. */
export async function recordClaims(
  database: Database,
  items: readonly ClaimItem[],
  republishAfterMs: number,
  mark: Mark,
): Promise<SubmissionRow[]> {
  const byAttempt = new Map(items.map((item) => [item.attemptId, item]))
  const toRow = ({ attempt_id, ...validated }: ClaimRow): SubmissionRow => {
    const row = claimedRow(byAttempt.get(attempt_id) as ClaimItem)
    if (validated.state !== 'submitting') row.valid_until = null
    return { ...row, ...validated, outcome_at: validated.outcome_event === null ? null : row.claimed_at }
  }
  const valuesOf = (validated: readonly ClaimItem[]) => {
    const records = validated.map(toRecord)
    const republishAt = new Date(Math.min(...validated.map(({ at }) => at.getTime())) + republishAfterMs)
    return [...itemNames.map((name) => records.map((record) => record[name])), batchIdOf(items), republishAt]
  }
  const alone = items.some(
    ({ operation, at }) => raisedBy(operation.kind) !== undefined || mayBeArchived(operation.operation_id, at),
  )
  failpoint('claim.before_commit')
  const rows = alone
    ? await claimInSteps(database, items, { mark, valuesOf, toRow })
    : (await claim(database, mark, valuesOf(items))).map(toRow)
  failpoint('claim.after_commit')
  return rows
}

/** The id of the batch under which these items enter the outbox: the attempt of the first one. */
export function batchIdOf(items: readonly ClaimItem[]): string {
  return (items[0] as ClaimItem).attemptId
}

/** The lock and the INSERT travel together, and are one transaction. */
async function claim(database: Database, mark: Mark, values: unknown[]): Promise<ClaimRow[]> {
  const [, written] = await database.atOnce([
    [lock, mark],
    [insert, values],
  ])
  return written as ClaimRow[]
}

type Steps = {
  mark: Mark
  valuesOf: (validated: readonly ClaimItem[]) => unknown[]
  toRow: (validated: ClaimRow) => SubmissionRow
}

/** A claim that raises fences, or validates the archive's horizon. */
async function claimInSteps(
  database: Database,
  items: readonly ClaimItem[],
  { mark, valuesOf, toRow }: Steps,
): Promise<SubmissionRow[]> {
  return database.transaction(async (tx) => {
    await tx.rows(items.some(({ operation }) => raisedBy(operation.kind)) ? exclusiveLock : lock, mark)
    const validated = await validateArchived(tx, items)
    const inserted = (await tx.rows<ClaimRow>(insert, valuesOf(validated))).map(toRow)
    const fences = inserted.flatMap(fenceRaisedWith)
    if (fences.length > 0) await tx.rows(raise, [JSON.stringify(fences)])
    return inserted
  })
}

/** The row of an item that may call the provider, as the INSERT writes it. */
export function claimedRow(item: ClaimItem): SubmissionRow {
  const { operation, attemptId, leaseUntil, validUntil } = item
  return {
    operation_id: operation.operation_id,
    attempt_id: attemptId,
    kind: operation.kind,
    resource_id: operation.resource_id,
    owner_id: operation.owner_id,
    subject: operation.subject,
    client_id: operation.client_id,
    grant_id: operation.grant_id,
    binding_id: operation.binding_id,
    mandate_id: operation.mandate_id,
    target_reference: operation.target_reference,
    traceparent: operation.traceparent,
    state: 'submitting',
    base_sequence: operation.sequence,
    sequence: operation.sequence + 1,
    claimed_at: claimedAt(item),
    lease_until: leaseUntil,
    valid_until: validUntil,
    outcome_event: null,
    outcome_at: null,
    upstream_reference: null,
    resource: null,
    failure_code: null,
    failure_detail: null,
    late_answer: null,
    late_answer_delivered: false,
  }
}

/** The clocks of two processes may differ, but an operation's times must never fall. */
function claimedAt({ operation, at }: ClaimItem): Date {
  return new Date(Math.max(at.getTime(), Date.parse(operation.accepted_at)))
}

/**
 * Marks operations from before the archive's horizon as from before the recovery point: the record of an earlier attempt
 * may be in the archive.
 */
async function validateArchived(tx: Queryable, items: readonly ClaimItem[]): Promise<readonly ClaimItem[]> {
  const [first] = items
  if (!first) return items
  const ids = items.map(({ operation }) => operation.operation_id)
  const archived = await findArchivedIds(tx, ids, first.at)
  if (archived.size === 0) return items
  return items.map((item) => (archived.has(item.operation.operation_id) ? { ...item, beforeRecovery: true } : item))
}

function raisedBy(kind: string): FenceTarget | undefined {
  return isOperationKind(kind) ? kindFacts[kind].raisesFence : undefined
}

/** The fence that a row raises; none if the row sends nothing. */
function fenceRaisedWith({ kind, state, resource_id, claimed_at }: SubmissionRow) {
  const target = raisedBy(kind)
  if (target === undefined || state === 'cancelled' || state === 'failed') return []
  return [{ target, target_id: resource_id, reason: kind, fenced_at: claimed_at }]
}

/** The ids whose fences stop the operation; null if its kind passes that fence. */
export function stopsOf(operation: StoppedRequest['operations'][number]) {
  const { kind, grant_id, client_id, binding_id, mandate_id } = operation
  const passes: readonly FenceTarget[] = isOperationKind(kind) ? kindFacts[kind].passesFences : []
  const stop = (target: FenceTarget, id: string | null) => (passes.includes(target) ? null : id)
  return {
    stop_grant: stop('grant', grant_id),
    stop_client: stop('client', client_id),
    stop_binding: stop('binding', binding_id),
    stop_mandate: stop('mandate', mandate_id),
  }
}

/** The item as the INSERT reads it. */
function toRecord(item: ClaimItem): Record<ItemColumn, unknown> {
  const { operation } = item
  const row = claimedRow(item)
  return {
    operation_id: row.operation_id,
    attempt_id: row.attempt_id,
    kind: row.kind,
    resource_id: row.resource_id,
    owner_id: row.owner_id,
    subject: row.subject,
    client_id: row.client_id,
    grant_id: row.grant_id,
    binding_id: row.binding_id,
    mandate_id: row.mandate_id,
    target_reference: row.target_reference,
    traceparent: row.traceparent,
    base_sequence: row.base_sequence,
    ...stopsOf(operation),
    authority_ends_at: operation.authority_ends_at,
    supported: item.supported,
    sendable: item.sendable,
    before_recovery: item.beforeRecovery,
    at: row.claimed_at,
    lease_until: row.lease_until,
    valid_until: row.valid_until,
  }
}
