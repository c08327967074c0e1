/**
 * The operator who suspended a grant and the operator's words, separate from the reason code, which decides if a grant
 * may be resumed. Also an index of grants in the order of the operators' lists.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const operators = sqlMigration(`
ALTER TABLE grants
  ADD COLUMN suspended_by text,
  ADD COLUMN suspended_why text,
  -- The status that is written, where one that ended with its time has a word of its own.
  ADD COLUMN listed_as text COLLATE "C" NOT NULL
    GENERATED ALWAYS AS (CASE WHEN status_reason = 'expired' THEN 'expired' ELSE status END) STORED;
-- The condition is said by the lists of all clients alone, so that no other statement is planned over this index.
CREATE INDEX grants_newest ON grants (listed_as, created_at, grant_id) WHERE listed_as <> '';
CREATE INDEX grants_newest_of_client ON grants (client_id, listed_as, created_at, grant_id);
DROP INDEX grants_of_client;
CREATE INDEX grants_of_subject ON grants (subject);
`)
