/** An index of grants in the order in which they were given, for the events of owners. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const grantsByTime = sqlMigration(`
CREATE INDEX grants_by_time ON grants (created_at, grant_id);
`)
