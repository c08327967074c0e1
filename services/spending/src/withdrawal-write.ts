/**
 * Withdrawals as a kind of write. The write has no other rows here: operations stores the payment with the operation,
 * and reserves it in the owner's day.
 */

import { routeString } from '@financial-agents/contract/route'
import { spendingRoutes } from '@financial-agents/contract/routes/spending'
import type { WriteKind } from '@financial-agents/writes/write'

export const transfer: WriteKind<null, 'transfer'> = {
  kind: 'transfer',
  route: routeString(spendingRoutes.createWithdrawal),
  draft: async () => new Map(),
  follow: async () => {},
}
