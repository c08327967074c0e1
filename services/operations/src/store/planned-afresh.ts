/**
 * A statement without a name is planned at each execution. For statements over whole batches that join a table: a plan
 * kept from when the table was young would read all of it, and the planning is a small part of a batch.
 */

import { type Statement, statement } from '@financial-agents/postgres/database'

export function plannedAfresh(text: string): Statement {
  return statement('', text)
}
