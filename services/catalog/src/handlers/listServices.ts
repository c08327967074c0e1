/**
 * GET /v1/services: this API's services, then the provider's. Without the provider the route fails: a list without
 * purchasable services would claim that there are none.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { servicesRoutes } from '@financial-agents/contract/routes/services'
import type { Dependencies } from '../dependencies.ts'
import { ownServices } from '../own-services.ts'
import { pageByKey } from '../page-by-key.ts'
import { toOwnService, toPurchasableService } from '../services.ts'

export function listServices(dependencies: Dependencies): Handlers<typeof servicesRoutes>['listServices'] {
  return async ({ query }, context) => {
    const purchasable = await dependencies.servicesReads.list(context)
    const caller = { ...context, offered: await dependencies.offeredKinds.of(context) }
    const services = [
      ...ownServices.map((service) => toOwnService(dependencies, service, caller)),
      ...purchasable.map((service) => toPurchasableService(dependencies, service, caller)),
    ].toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const scope = { list: 'services', ownerId: context.principal.owner_id, query }
    return pageByKey(dependencies.cursors, scope, services, ({ id }) => id)
  }
}
