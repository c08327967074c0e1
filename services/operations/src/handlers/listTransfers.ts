/** GET /v1/transfers: lists the payments of the reader's owner, subject and client, newest first. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { type Cursors, type Position, position, toPage } from '@financial-agents/contract/cursor'
import type { transfersRoutes } from '@financial-agents/contract/routes/transfers'
import type { Queryable } from '@financial-agents/postgres/database'
import { findTransfers } from '../store/transfers.ts'
import { type Opening, toTransfer } from '../transfer-view.ts'

export function listTransfers(
  db: Queryable,
  opening: Opening,
  cursors: Cursors,
): Handlers<typeof transfersRoutes>['listTransfers'] {
  return async ({ query }, { principal }) => {
    const { owner_id, client_id } = principal
    // A client sees only its own payments, so a cursor is bound to the client as well as the owner.
    const scope = { list: 'transfers', ownerId: `${owner_id} ${client_id}`, query }
    const after = cursors.read(scope, position, query.cursor)
    const rows = await findTransfers(db, principal, query, { limit: query.limit + 1, after })
    return toPage(
      rows.map((row) => toTransfer(row, opening)),
      query.limit,
      ({ created_at, id }) => cursors.write(scope, { created_at, id } satisfies Position),
    )
  }
}
