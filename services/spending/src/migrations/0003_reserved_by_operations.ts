/** Drops what operations keeps since: withdrawals with their operations, and what a day has reserved. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const reservedByOperations = sqlMigration(`
DROP TABLE withdrawals;
DROP TABLE grant_days;
`)
