/** GET /v1/transfers/{transfer_id}: returns one transfer of the reader. For any other reader it does not exist. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { transfersRoutes } from '@financial-agents/contract/routes/transfers'
import type { Queryable } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { findTransfer } from '../store/transfers.ts'
import { type Opening, toTransfer } from '../transfer-view.ts'

export function getTransfer(db: Queryable, opening: Opening): Handlers<typeof transfersRoutes>['getTransfer'] {
  return async ({ params: { transfer_id } }, { principal }) => {
    const row = isUuid(transfer_id) ? await findTransfer(db, principal, transfer_id) : undefined
    if (!row) throw new Problem('transfer_not_found')
    return toTransfer(row, opening)
  }
}
