/** Adds the index that finds the last equal look, so that a page which refreshes itself does not fill the audit. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const looks = sqlMigration(`
ALTER TABLE audit ADD COLUMN session_key text;
CREATE INDEX audit_of_looks ON audit (session_key, action, hashtextextended(detail::text, 0), at)
  WHERE outcome = 'answered' AND session_key IS NOT NULL;
`)
