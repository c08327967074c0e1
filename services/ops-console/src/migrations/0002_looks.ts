/** Finds the last look that was the same, so that a page which keeps itself fresh does not fill the audit. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const looks = sqlMigration(`
CREATE INDEX audit_of_looks ON audit (operator_id, action, hashtextextended(detail::text, 0), at) WHERE outcome = 'answered';
`)
