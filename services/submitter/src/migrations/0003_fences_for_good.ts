/** Fences that a claim raised and that nothing may lift: what was revoked does not begin again. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const fencesForGood = sqlMigration(`
  ALTER TABLE fences ADD COLUMN for_good boolean NOT NULL DEFAULT false;
  UPDATE fences SET for_good = true WHERE reason IN ('mandate_revoke', 'transfer_grant_revoke');
`)
