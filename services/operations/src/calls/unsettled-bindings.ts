/** Which bindings still have operations without an outcome: while one has, its credentials are needed for reads. */

import type { Queryable } from '@financial-agents/postgres/database'
import { findUnsettledBindings } from '../store/operations.ts'

export function createUnsettledBindings(db: Queryable) {
  return async ({ binding_ids }: { binding_ids: string[] }): Promise<string[]> => findUnsettledBindings(db, binding_ids)
}
