/** The rights of a service on the tables of its witness. The schema's first migration makes them. */

import type { Privileges } from '@financial-agents/postgres/privileges'

/** Nothing is ever removed. */
export const witnessPrivileges: Privileges = { witness: ['INSERT', 'UPDATE'], witness_marks: ['INSERT', 'UPDATE'] }
