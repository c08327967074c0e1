/** GET /v1/services/{service_id}. One of this API's own services needs no provider. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { servicesRoutes } from '@financial-agents/contract/routes/services'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { ownServices } from '../own-services.ts'
import type { Parts } from '../parts.ts'
import { toOwnService, toPurchasableService } from '../services.ts'

export function getService(parts: Parts): Handlers<typeof servicesRoutes>['getService'] {
  return async ({ params }, context) => {
    if (!isUuid(params.service_id)) throw new Problem('service_not_found')
    const wanted = params.service_id.toLowerCase()
    const own = ownServices.find(({ id }) => id === wanted)
    const caller = { ...context, offered: await parts.offeredKinds.of(context) }
    if (own) return toOwnService(parts, own, caller)
    const service = (await parts.servicesReads.list(context)).find(({ id }) => id === wanted)
    if (!service) throw new Problem('service_not_found')
    return toPurchasableService(parts, service, caller)
  }
}
