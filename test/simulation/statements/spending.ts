/** Twins of the area spending: a withdrawal has no rows beside its write. What reads of accounts keep is not simulated. */

import type { Twins } from '../virtual/database.ts'
import type { TablePlan } from '../virtual/tables.ts'
import { writesTables, writesTwins } from './writes.ts'

export const spendingTables = { ...writesTables } as const satisfies Record<string, TablePlan>

export const spendingTwins: Twins = writesTwins
