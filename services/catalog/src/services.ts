/** Services as the API shows them: its own from their table, and the provider's under the provider's names. */

import type { Route } from '@financial-agents/contract/route'
import type { Service } from '@financial-agents/contract/schemas/service'
import type { Caller, ShowCapabilities } from './capabilities.ts'
import { type OwnService, purchasing } from './own-services.ts'
import type { PurchasableService } from './services-reads.ts'

/** The inputs of a service's view: the capabilities, and the documentation address of the API's own services. */
export type Shown = { showCapabilities: ShowCapabilities; documentationUrl: string }

export function toOwnService(shown: Shown, { id, name, capabilities }: OwnService, caller: Caller): Service {
  const [route] = Object.values(capabilities).flat() as [Route]
  return {
    id,
    name,
    category: route.area.replaceAll('-', '_'),
    capabilities: shown.showCapabilities(capabilities, caller),
    documentation_url: shown.documentationUrl,
  }
}

export function toPurchasableService(shown: Shown, service: PurchasableService, caller: Caller): Service {
  const { id, name, category, documentation_url } = service
  return { id, name, category, capabilities: shown.showCapabilities(purchasing, caller), documentation_url }
}
