/** An administrator's queries over the services' tables, each in its own schema, to check that the tables agree. */

import { kindsThat } from '@financial-agents/testkit/kinds-oracle'

const payments = kindsThat(({ pays }) => pays)
  .map((kind) => `'${kind}'`)
  .join(', ')
const areas = ['beneficiaries', 'cards', 'spending', 'onboarding'] as const

const writes = areas.map((area) => `SELECT operation_id, kind, state, outcome FROM ${area}.writes`).join(' UNION ALL ')
const parked = ['operations', ...areas]
  .map((schema) => `SELECT '${schema}' AS schema, reason FROM ${schema}.parked_events`)
  .join(' UNION ALL ')

/** The states with an outcome, as a list of SQL. */
const ended = "('succeeded', 'failed', 'cancelled')"

/** Each query must return no row. */
export const nothing: readonly { words: string; sql: string }[] = [
  { words: 'an undecided draft is left', sql: `SELECT * FROM (${writes}) w WHERE state = 'draft'` },
  {
    words: 'a write and its operation differ',
    sql: `SELECT w.*, o.id, o.state AS operation FROM (SELECT * FROM (${writes}) w WHERE state <> 'void') w
          FULL JOIN operations.operations o ON o.id = w.operation_id
          WHERE o.id IS NULL OR w.operation_id IS NULL OR o.kind <> w.kind
            OR w.outcome IS DISTINCT FROM CASE WHEN o.state IN ${ended} THEN o.state END`,
  },
  {
    words: 'a void draft is an operation',
    sql: `SELECT w.* FROM (${writes}) w JOIN operations.operations o ON o.id = w.operation_id WHERE w.state = 'void'`,
  },
  { words: 'an event was parked', sql: parked },
  {
    words: 'a payload outlives its outcome',
    sql: `SELECT id, state FROM operations.operations
          WHERE payload_sealed IS NOT NULL AND state NOT IN ('requires_action', 'accepted', 'submitting')`,
  },
  {
    words: 'a view is not the last transition',
    sql: `SELECT o.id, o.sequence, h.last FROM operations.operations o
          LEFT JOIN (SELECT operation_id, max(sequence) AS last FROM operations.moves GROUP BY 1) h ON h.operation_id = o.id
          WHERE h.last IS DISTINCT FROM o.sequence`,
  },
  {
    words: 'an operation without an outcome is not listed as in flight, or what is listed is no operation',
    sql: `SELECT o.id, o.state, f.operation_id FROM operations.operations o
          FULL JOIN (SELECT operation_id FROM operations.in_flight UNION SELECT unnest(operation_ids) FROM operations.in_flight_batches) f
            ON f.operation_id = o.id
          WHERE o.id IS NULL OR (o.state NOT IN ${ended} AND f.operation_id IS NULL)`,
  },
  {
    words: 'a decision and its operation differ',
    sql: `SELECT d.operation_id, o.id FROM (SELECT * FROM operations.decisions WHERE accepted) d
          FULL JOIN operations.operations o ON o.id = d.operation_id WHERE d.operation_id IS NULL OR o.id IS NULL`,
  },
  {
    words: 'an operation has not exactly one key',
    sql: `SELECT id, count(k.operation_id) FROM operations.operations o
          LEFT JOIN operations.idempotency_keys k ON k.operation_id = o.id GROUP BY id HAVING count(k.operation_id) <> 1`,
  },
  {
    words: 'a confirmation was used for nothing',
    sql: `SELECT i.id FROM operations.confirmation_intents i LEFT JOIN operations.operations o ON o.id = i.consumed_operation_id
          WHERE i.status = 'consumed' AND o.id IS NULL`,
  },
  {
    words: 'a confirmation was used over another connection',
    sql: `SELECT i.id, i.binding_id, o.binding_id AS used FROM operations.confirmation_intents i
          JOIN operations.operations o ON o.id = i.consumed_operation_id WHERE i.binding_id IS DISTINCT FROM o.binding_id`,
  },
  {
    words: 'what a confirmation quotes outlives its use',
    sql: `SELECT id, status FROM operations.confirmation_intents
          WHERE quoted_sealed IS NOT NULL AND status IN ('consumed', 'declined')`,
  },
  {
    words: 'a submission and its operation differ',
    sql: `SELECT s.operation_id, s.state, o.id, o.state AS operation FROM submitter.submissions s
          FULL JOIN operations.operations o ON o.id = s.operation_id
          WHERE s.operation_id IS NULL OR o.id IS NULL OR (s.sequence = o.sequence AND s.state <> o.state) OR s.sequence > o.sequence`,
  },
  {
    words: 'what is uncertain is not reconciled',
    sql: `SELECT o.id, o.state, r.state AS reconciliation FROM operations.operations o
          LEFT JOIN reconciler.reconciliations r ON r.operation_id = o.id
          WHERE (o.state = 'indeterminate' OR r.operation_id IS NOT NULL) AND r.state IS DISTINCT FROM o.state`,
  },
  {
    words: 'a reservation and its operation differ',
    sql: `SELECT r.operation_id, r.released_at, o.state
          FROM beneficiaries.mandate_reservations r
          FULL JOIN (SELECT * FROM operations.operations WHERE kind = 'mandate_transfer') o ON o.id = r.operation_id
          WHERE (r.operation_id IS NOT NULL AND r.released_at IS NULL)
            IS DISTINCT FROM (o.id IS NOT NULL AND o.state NOT IN ('failed', 'cancelled'))`,
  },
  {
    words: 'the sums of a mandate are not its reservations',
    sql: `SELECT m.id, m.reserved_total, m.reserved_count, r.total, r.payments FROM beneficiaries.mandates m
          LEFT JOIN (SELECT mandate_id, sum(amount) AS total, count(*) AS payments FROM beneficiaries.mandate_reservations
            WHERE released_at IS NULL GROUP BY 1) r ON r.mandate_id = m.id
          WHERE m.reserved_total <> coalesce(r.total, 0) OR m.reserved_count <> coalesce(r.payments, 0)
            OR m.reserved_total > m.total_cap`,
  },
  {
    words: 'a window of a mandate is not what was reserved in it',
    sql: `SELECT w.*, r.total FROM beneficiaries.mandate_windows w
          LEFT JOIN (SELECT mandate_id, p.period, p.starts_on, sum(amount) AS total FROM beneficiaries.mandate_reservations
            CROSS JOIN LATERAL (VALUES ('day', day), ('week', week), ('month', month)) AS p(period, starts_on)
            WHERE released_at IS NULL GROUP BY 1, 2, 3) r USING (mandate_id, period, starts_on)
          WHERE w.reserved <> coalesce(r.total, 0)`,
  },
  {
    words: 'a transfer and its operation differ',
    sql: `SELECT t.id, t.released_at, o.id, o.state FROM operations.transfers t
          FULL JOIN (SELECT * FROM operations.operations WHERE kind IN (${payments})) o
            ON o.id = t.operation_id AND o.resource_id = t.id
          WHERE t.id IS NULL OR o.id IS NULL OR (t.released_at IS NULL) <> (o.state NOT IN ('failed', 'cancelled'))`,
  },
  {
    words: 'a day of an owner and client is not what was paid in it',
    sql: `SELECT c.*, t.total FROM operations.ceiling_days c
          FULL JOIN (SELECT owner_id, client_id, currency, day, sum(amount) AS total FROM operations.transfers
            WHERE released_at IS NULL GROUP BY 1, 2, 3, 4) t USING (owner_id, client_id, currency, day)
          WHERE coalesce(c.reserved, 0) <> coalesce(t.total, 0)`,
  },
  {
    words: 'a resource is busy with what is settled',
    sql: `SELECT b.id, o.state FROM (
            SELECT id, operation_id FROM cards.cards WHERE state IN ('draft', 'pending')
            UNION ALL SELECT c.id, (change ->> 'operation_id')::uuid
              FROM cards.cards c, jsonb_array_elements(c.changes) change WHERE change ->> 'state' <> 'succeeded'
            UNION ALL SELECT id, pending_operation_id FROM onboarding.bindings
            UNION ALL SELECT id, suspend_operation_id FROM beneficiaries.mandates
            UNION ALL SELECT id, revoke_operation_id FROM beneficiaries.mandates) b
          LEFT JOIN operations.operations o ON o.id = b.operation_id
          WHERE b.operation_id IS NOT NULL AND coalesce(o.state IN ${ended}, true)`,
  },
  {
    words: 'a fence of a mandate is not what its state wants',
    sql: `SELECT m.id, m.state, f.confirmed, s.target_id FROM beneficiaries.mandates m
          LEFT JOIN beneficiaries.mandate_fences f ON f.mandate_id = m.id
          LEFT JOIN submitter.fences s ON s.target = 'mandate' AND s.target_id = m.id::text
          WHERE (f.mandate_id IS NOT NULL) <> (m.state IN ('suspending', 'suspended', 'revoking', 'revoked', 'revocation_failed'))
            OR (f.mandate_id IS NOT NULL) <> (s.target_id IS NOT NULL) OR NOT f.confirmed`,
  },
  {
    words: 'the end of a connection is not announced and fenced',
    sql: `SELECT a.binding_id, s.target_id FROM onboarding.announcements a
          LEFT JOIN submitter.fences s ON s.target = 'binding' AND s.target_id = a.binding_id::text
          WHERE a.announced_at IS NULL OR (a.fence AND (a.fenced_at IS NULL OR s.target_id IS NULL))`,
  },
]

/** The state that each resource shows. */
export const resources = `
  SELECT id, state FROM beneficiaries.beneficiaries
  UNION ALL SELECT id, state FROM beneficiaries.mandates
  UNION ALL SELECT id, state FROM cards.cards
  UNION ALL SELECT id, status FROM onboarding.bindings
  UNION ALL SELECT id, CASE WHEN released_at IS NULL THEN 'held' ELSE 'released' END FROM operations.transfers
  UNION ALL SELECT operation_id, CASE WHEN released_at IS NULL THEN 'held' ELSE 'released' END
    FROM beneficiaries.mandate_reservations`
