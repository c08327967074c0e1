/**
 * Stores fewer rows of history. The first move of an operation is read from the operation itself. A claim that arrives
 * together with the move after it is the time `claimed_at` of that move's row. The view `moves` shows every move.
 * The previous release still writes a row for each move, and the view shows a move once.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const derivedMoves = sqlMigration(`
  ALTER TABLE history ADD COLUMN claimed_at timestamptz;

  CREATE VIEW moves AS
    SELECT operation_id, sequence, from_state, event, to_state, moved_by, at, failure_code, reason, evidence FROM history
    UNION ALL
    SELECT operation_id, sequence - 1, 'accepted', 'claim', 'submitting', 'submitter', claimed_at, NULL, NULL, NULL
    FROM history next
    WHERE claimed_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM history h WHERE h.operation_id = next.operation_id AND h.sequence = next.sequence - 1)
    UNION ALL
    SELECT id, 1, 'new', CASE WHEN for_approval THEN 'accept_for_approval' ELSE 'accept' END,
      CASE WHEN for_approval THEN 'requires_action' ELSE 'accepted' END, 'operations', created_at, NULL, NULL, NULL
    FROM (SELECT id, created_at, state = 'requires_action' OR EXISTS (SELECT FROM history h
        WHERE h.operation_id = o.id AND h.sequence = 2 AND h.from_state = 'requires_action') AS for_approval
      FROM operations o WHERE NOT EXISTS (SELECT FROM history h WHERE h.operation_id = o.id AND h.sequence = 1)) begun;
`)
