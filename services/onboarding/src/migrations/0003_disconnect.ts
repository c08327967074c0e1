/**
 * The durable disconnect: the writes behind it, which operation a binding is busy with, and when its credentials are
 * looked at to be erased. Rows from before are due at once.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'
import { writesTables } from '@financial-agents/writes/tables'

export const disconnect = sqlMigration(`
${writesTables}
ALTER TABLE bindings
  -- The revoke that was drafted or accepted and has no outcome yet.
  ADD COLUMN pending_operation_id uuid,
  ADD COLUMN disconnecting_at timestamptz,
  ADD COLUMN erase_check_at timestamptz NOT NULL DEFAULT '-infinity',
  ADD CONSTRAINT disconnecting_by_an_operation
    CHECK (status <> 'disconnecting' OR num_nonnulls(pending_operation_id, disconnecting_at) = 2);
CREATE INDEX bindings_to_erase ON bindings (erase_check_at)
  WHERE status = 'disconnected' AND credentials_sealed IS NOT NULL AND pending_operation_id IS NULL;
CREATE INDEX announcements_unfenced ON announcements (binding_id) WHERE fence AND fenced_at IS NULL;
`)
