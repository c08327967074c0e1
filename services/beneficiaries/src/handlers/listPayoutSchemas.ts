/** GET /v1/beneficiaries/payout-schemas: the provider's schemas for the owner, in the order of their ids. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { toPage } from '@financial-agents/contract/cursor'
import type { beneficiariesRoutes } from '@financial-agents/contract/routes/beneficiaries'
import { z } from 'zod'
import type { Dependencies } from '../dependencies.ts'

const position = z.strictObject({ id: z.string() })

export function listPayoutSchemas(
  dependencies: Dependencies,
): Handlers<typeof beneficiariesRoutes>['listPayoutSchemas'] {
  return async ({ query }, context) => {
    const scope = { list: 'payout-schemas', ownerId: context.principal.owner_id, query }
    const after = dependencies.cursors.read(scope, position, query.cursor)
    const schemas = await dependencies.providerReads.getPayoutSchemas(context)
    const matching = [...schemas.values()]
      .map(({ schema }) => schema)
      .filter(({ country }) => query.country === undefined || country === query.country)
      .filter(({ currency }) => query.currency === undefined || currency === query.currency)
      .filter(({ id }) => after === undefined || id > after.id)
    return toPage(matching, query.limit, ({ id }) => dependencies.cursors.write(scope, { id }))
  }
}
