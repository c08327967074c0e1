/** Writes operations directly into the table, in any number and of any age. */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { OperationState } from '@financial-agents/contract/machine'
import type { Database } from '@financial-agents/postgres/database'
import { newId, query } from './operations.test-helper.ts'

export type Stored = {
  id: string
  kind: OperationKind
  state: OperationState
  client_id: string
  grant_id: string
  created_at: Date
  updated_at: Date
  failure_code: string | null
}

/** One operation. Every member that `over` does not give has a default. */
export function storedOne(over: Partial<Stored> = {}): Stored {
  const created_at = over.created_at ?? new Date()
  return {
    id: newId(),
    kind: 'transfer',
    state: 'succeeded',
    client_id: 'client-one',
    grant_id: 'grant-one',
    created_at,
    updated_at: over.updated_at ?? created_at,
    failure_code: null,
    ...over,
  }
}

/** Writes the grants of the stored operations, lists those in flight, and writes the last move of the others in the order of time. */
const noted = `RETURNING id, owner_id, client_id, grant_id, state, updated_at), granted AS (
    INSERT INTO grants SELECT DISTINCT grant_id, owner_id, client_id FROM stored ON CONFLICT DO NOTHING
  ), flying AS (
    INSERT INTO in_flight SELECT id, now() + interval '1 hour' FROM stored WHERE state NOT IN ('succeeded', 'failed', 'cancelled'))
  INSERT INTO history (operation_id, sequence, from_state, event, to_state, moved_by, at)
  SELECT id, 3, from_state, event, state, 'submitter', updated_at FROM stored JOIN (VALUES
    ('succeeded', 'submitting', 'provider_completed'), ('failed', 'submitting', 'provider_refused'),
    ('cancelled', 'accepted', 'cancel_before_submission')) AS moves (to_state, from_state, event) ON to_state = state
  ORDER BY updated_at`

/** Writes the operations. Values that operators must never see contain "secret". */
export async function store(db: Database, operations: readonly Stored[]): Promise<void> {
  await query(
    db,
    `WITH stored AS (INSERT INTO operations (id, owner_id, subject, client_id, grant_id, binding_id, kind, state, sequence, failure_code,
      resource_type, resource_id, action_required, created_at, updated_at, resource_facts, traceparent)
    SELECT id, 'secret-owner', 'subject', client_id, grant_id, 'secret-binding', kind, state, 3, failure_code,
      'withdrawal', id, '{"url":"secret-url"}', created_at, updated_at, '{"last4":"secret-facts"}', ''
    FROM jsonb_to_recordset($1) AS item (id uuid, client_id text, grant_id text, kind text, state text,
      failure_code text, created_at timestamptz, updated_at timestamptz)
    ${noted}`,
    [JSON.stringify(operations)],
  )
}

/** Rows in one statement. While a statement runs, PostgreSQL cannot clear away rows that others removed. */
const perStatement = 2_000

/**
 * Writes operations with an outcome, numbers `from` to `to`, one every thirty seconds back from an hour ago. Most have
 * one kind, one client and success. `client-old`, `card_close` and cancelled operations are only among the oldest.
 */
export async function storeMany(db: Database, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += perStatement)
    await storePart(db, start, Math.min(to, start + perStatement), to)
}

async function storePart(db: Database, from: number, to: number, last: number): Promise<void> {
  await query(
    db,
    `WITH stored AS (INSERT INTO operations (id, owner_id, subject, client_id, grant_id, binding_id, kind, state, sequence, failure_code,
      resource_type, resource_id, created_at, updated_at, traceparent)
    SELECT gen_random_uuid(), 'owner-' || i % 1000, 'subject-' || i % 1000,
      CASE WHEN i > $3 - 5 THEN 'client-old' WHEN i % 50 = 0 THEN 'client-' || i % 20 ELSE 'client-one' END,
      'grant-' || i % 1000, 'binding-' || i % 1000,
      CASE WHEN i > $3 - 5 THEN 'card_close' WHEN i % 40 = 0 THEN 'card_create' ELSE 'transfer' END,
      CASE WHEN i > $3 - 3 THEN 'cancelled' WHEN i % 30 = 0 THEN 'failed' ELSE 'succeeded' END, 3,
      CASE WHEN i % 30 = 0 THEN 'provider_refused' END, 'withdrawal', gen_random_uuid(), at, at, ''
    FROM (SELECT i, now() - interval '1 hour' - i * interval '30 seconds' AS at
      FROM generate_series($1::integer + 1, $2::integer) AS i) AS made
    ${noted}`,
    [from, to, last],
  )
}
