/** GET /v1/beneficiaries/address-countries: the countries that the provider accepts in addresses. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { beneficiariesRoutes } from '@financial-agents/contract/routes/beneficiaries'
import type { Parts } from '../parts.ts'

export function listAddressCountries(parts: Parts): Handlers<typeof beneficiariesRoutes>['listAddressCountries'] {
  return async (_input, context) => ({ countries: [...(await parts.providerReads.getAddressCountries(context))] })
}
