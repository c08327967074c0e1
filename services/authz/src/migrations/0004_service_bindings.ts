/**
 * The connection that a service account acts over, fixed when the account is declared. Existing accounts take the one
 * that their owner has now.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const serviceBindings = sqlMigration(`
ALTER TABLE grants
  -- Of a service account, once it is fixed; null until there is one to take.
  ADD COLUMN binding_id text,
  -- When an operator declared the service account, or declared it anew; null where that is its creation.
  ADD COLUMN declared_at timestamptz,
  ADD CONSTRAINT fixed_for_service_accounts CHECK (kind = 'service' OR num_nonnulls(binding_id, declared_at) = 0);
UPDATE grants SET declared_at = now() WHERE kind = 'service';
CREATE INDEX grants_without_binding ON grants (grant_id)
  WHERE kind = 'service' AND status = 'active' AND binding_id IS NULL;
`)
