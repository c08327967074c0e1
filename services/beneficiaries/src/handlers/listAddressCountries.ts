/** GET /v1/beneficiaries/address-countries: the countries that the provider accepts in addresses. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { beneficiariesRoutes } from '@financial-agents/contract/routes/beneficiaries'
import type { Dependencies } from '../dependencies.ts'

export function listAddressCountries(
  dependencies: Dependencies,
): Handlers<typeof beneficiariesRoutes>['listAddressCountries'] {
  return async (_input, context) => ({
    countries: [...(await dependencies.providerReads.getAddressCountries(context))],
  })
}
