/** Drops the data that operations has kept since: withdrawals, and the reservations of a day. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const reservedByOperations = sqlMigration(`
DROP TABLE withdrawals;
DROP TABLE grant_days;
`)
