/** The calls that spending answers. */

import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import { decision } from './row.ts'

export const spendingCalls = {
  'int.spending.validate-withdrawal': decision<typeof spendingRoutes.createWithdrawal>({
    askedBy: ['operations'],
    meaning: 'checks if a withdrawal would be refused now, before its owner is asked to confirm it; writes nothing',
  }),
}
