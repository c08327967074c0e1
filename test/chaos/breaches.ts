/** Breaches made on purpose, each by one SQL statement, and the report that the check must give for each. */

export type Tampering = { name: string; sql: string; seen: RegExp }

const one = (table: string, where = 'true') => `(SELECT ctid FROM ${table} WHERE ${where} LIMIT 1)`

export const tamperings: readonly Tampering[] = [
  {
    name: 'an accepted operation is lost',
    sql: `DELETE FROM operations.operations WHERE ctid = ${one('operations.operations')}`,
    seen: /was accepted and is lost/,
  },
  {
    name: 'an operation that nobody asked for',
    sql: `INSERT INTO operations.operations (id, owner_id, subject, client_id, grant_id, binding_id, kind, state, sequence,
            resource_type, resource_id, created_at, updated_at, traceparent)
          SELECT gen_random_uuid(), owner_id, subject, client_id, grant_id, binding_id, kind, state, sequence,
            resource_type, resource_id, created_at, updated_at, traceparent FROM operations.operations LIMIT 1`,
    seen: /nobody asked for/,
  },
  {
    name: 'an operation that never ends',
    sql: `UPDATE operations.operations SET state = 'submitted' WHERE ctid = ${one('operations.operations')}`,
    seen: / left succeeded for submitted| is submitted/,
  },
  {
    name: 'a draft that nobody decides',
    sql: `UPDATE cards.writes SET state = 'draft', outcome = NULL WHERE ctid = ${one('cards.writes', `idempotency_key IS NOT NULL`)}`,
    seen: /an undecided draft is left/,
  },
  {
    name: 'a payload that was not erased',
    sql: `ALTER TABLE operations.operations DROP CONSTRAINT payload_gone_with_outcome;
          UPDATE operations.operations SET payload_sealed = '\\x00' WHERE ctid = ${one('operations.operations')}`,
    seen: /a payload outlives its outcome/,
  },
  {
    name: 'a confirmation of an earlier connection',
    sql: `UPDATE operations.confirmation_intents SET binding_id = 'earlier'
          WHERE ctid = ${one('operations.confirmation_intents', `status = 'consumed'`)}`,
    seen: /a confirmation was used over another connection/,
  },
  {
    name: 'a write whose outcome its area did not follow',
    sql: `UPDATE spending.writes SET outcome = NULL WHERE ctid = ${one('spending.writes', 'outcome IS NOT NULL')}`,
    seen: /a write and its operation differ/,
  },
  {
    name: 'a reservation that was released though the transfer succeeded',
    sql: `UPDATE beneficiaries.mandate_reservations SET released_at = now()
          WHERE ctid = ${one('beneficiaries.mandate_reservations', 'released_at IS NULL')}`,
    seen: /a reservation and its operation differ/,
  },
  {
    name: 'a sum that forgot a reservation',
    sql: `UPDATE beneficiaries.mandates SET reserved_total = reserved_total - 1 WHERE ctid = ${one('beneficiaries.mandates', 'reserved_total >= 1')}`,
    seen: /the sums of a mandate are not its reservations/,
  },
  {
    name: 'a window that forgot one',
    sql: `UPDATE beneficiaries.mandate_windows SET reserved = reserved - 1 WHERE ctid = ${one('beneficiaries.mandate_windows', 'reserved >= 1')}`,
    seen: /a window of a mandate/,
  },
  {
    name: 'a day that forgot a payment',
    sql: `UPDATE operations.ceiling_days SET reserved = reserved - 1 WHERE ctid = ${one('operations.ceiling_days', 'reserved >= 1')}`,
    seen: /a day of an owner and client/,
  },
  {
    name: 'a payment that was given back though it succeeded',
    sql: `UPDATE operations.transfers SET released_at = now() WHERE ctid = ${one('operations.transfers', 'released_at IS NULL')}`,
    seen: /a transfer and its operation differ/,
  },
  {
    name: 'a card that does not show what became of it',
    sql: `UPDATE cards.cards SET state = CASE state WHEN 'active' THEN 'frozen' ELSE 'active' END
      WHERE ctid = ${one('cards.cards', `state IN ('active', 'frozen', 'closed')`)}`,
    seen: /shows (frozen instead of active|active instead of (frozen|closed))/,
  },
  {
    name: 'a fence that was never set',
    sql: `DELETE FROM submitter.fences WHERE ctid = ${one('submitter.fences', `target = 'mandate'`)}`,
    seen: /a fence of a mandate/,
  },
  {
    name: 'a connection whose end was not reported',
    sql: `UPDATE onboarding.announcements SET announced_at = NULL WHERE ctid = ${one('onboarding.announcements')}`,
    seen: /the end of a connection/,
  },
  {
    name: 'a second key of an operation',
    sql: `INSERT INTO operations.idempotency_keys SELECT owner_id, client_id, key || '2', route, request_hash, operation_id,
          created_at, expires_at FROM operations.idempotency_keys LIMIT 1`,
    seen: /exactly one key/,
  },
]
