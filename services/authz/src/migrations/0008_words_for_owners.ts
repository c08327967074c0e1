/**
 * The operator's words for the owner of a suspended grant, apart from the operators' own reason, which no owner reads.
 * The reasons of earlier suspensions are shown to operators alone from now on.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const wordsForOwners = sqlMigration('ALTER TABLE grants ADD COLUMN suspended_for_owner text')
