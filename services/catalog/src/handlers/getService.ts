/** GET /v1/services/{service_id}. One of this API's own services needs no provider. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { servicesRoutes } from '@financial-agents/contract/routes/services'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Dependencies } from '../dependencies.ts'
import { ownServices } from '../own-services.ts'
import { toOwnService, toPurchasableService } from '../services.ts'

export function getService(dependencies: Dependencies): Handlers<typeof servicesRoutes>['getService'] {
  return async ({ params }, context) => {
    if (!isUuid(params.service_id)) throw new Problem('service_not_found')
    const wanted = params.service_id.toLowerCase()
    const own = ownServices.find(({ id }) => id === wanted)
    const caller = { ...context, offered: await dependencies.offeredKinds.of(context) }
    if (own) return toOwnService(dependencies, own, caller)
    const service = (await dependencies.servicesReads.list(context)).find(({ id }) => id === wanted)
    if (!service) throw new Problem('service_not_found')
    return toPurchasableService(dependencies, service, caller)
  }
}
