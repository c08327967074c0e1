/** GET /v1/mandates: the mandates that the client created or is authorised under, newest first. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { type Position, position, toPage } from '@financial-agents/contract/cursor'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import type { Dependencies } from '../dependencies.ts'
import { listSettledMandates } from '../mandates/settled-mandates.ts'
import { toMandate } from '../mandates/store.ts'

export function listMandates(dependencies: Dependencies): Handlers<typeof mandatesRoutes>['listMandates'] {
  return async ({ query }, { principal }) => {
    const { owner_id, client_id } = principal
    // A client sees only its own mandates, so a cursor is bound to the client as well as the owner.
    const scope = { list: 'mandates', ownerId: `${owner_id} ${client_id}`, query }
    const after = dependencies.cursors.read(scope, position, query.cursor)
    const now = dependencies.clock.now()
    const rows = await listSettledMandates(dependencies, { owner_id, client_id }, query.limit + 1, after, now)
    return toPage(
      rows.map((row) => toMandate(row, now)),
      query.limit,
      ({ created_at, id }) => dependencies.cursors.write(scope, { created_at, id } satisfies Position),
    )
  }
}
