/**
 * In-memory models of the spending area. A withdrawal has no rows besides its write. The rows that reads of accounts keep are not
 * simulated.
 */

import type { Models } from '../virtual/database.ts'
import type { TablePlan } from '../virtual/tables.ts'
import { writesModels, writesTables } from './writes.ts'

export const spendingTables = { ...writesTables } as const satisfies Record<string, TablePlan>

export const spendingModels: Models = writesModels
