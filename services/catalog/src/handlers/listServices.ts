/**
 * GET /v1/services: this API's services, then the provider's. Without the provider the route fails: a list without
 * purchasable services would claim that there are none.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { servicesRoutes } from '@financial-agents/contract/routes/services'
import { ownServices } from '../own-services.ts'
import { pageByKey } from '../page-by-key.ts'
import type { Parts } from '../parts.ts'
import { toOwnService, toPurchasableService } from '../services.ts'

export function listServices(parts: Parts): Handlers<typeof servicesRoutes>['listServices'] {
  return async ({ query }, context) => {
    const purchasable = await parts.servicesReads.list(context)
    const caller = { ...context, offered: await parts.offeredKinds.of(context) }
    const services = [
      ...ownServices.map((service) => toOwnService(parts, service, caller)),
      ...purchasable.map((service) => toPurchasableService(parts, service, caller)),
    ].toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const scope = { list: 'services', ownerId: context.principal.owner_id, query }
    return pageByKey(parts.cursors, scope, services, ({ id }) => id)
  }
}
