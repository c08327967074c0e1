/** GET /v1/beneficiaries: the owner's beneficiaries, newest first, created by any client. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { type Position, position, toPage } from '@financial-agents/contract/cursor'
import type { beneficiariesRoutes } from '@financial-agents/contract/routes/beneficiaries'
import type { Dependencies } from '../dependencies.ts'
import { listSettledBeneficiaries } from '../settled-beneficiaries.ts'

export function listBeneficiaries(
  dependencies: Dependencies,
): Handlers<typeof beneficiariesRoutes>['listBeneficiaries'] {
  return async ({ query }, { principal }) => {
    const scope = { list: 'beneficiaries', ownerId: principal.owner_id, query }
    const after = dependencies.cursors.read(scope, position, query.cursor)
    const items = await listSettledBeneficiaries(dependencies, principal.owner_id, query.limit + 1, after)
    return toPage(items, query.limit, ({ created_at, id }) =>
      dependencies.cursors.write(scope, { created_at, id } satisfies Position),
    )
  }
}
