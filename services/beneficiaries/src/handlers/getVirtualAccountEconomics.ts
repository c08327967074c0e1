/** GET /v1/beneficiaries/virtual-account-economics: the price of a virtual account number in each currency. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { beneficiariesRoutes } from '@financial-agents/contract/routes/beneficiaries'
import type { Dependencies } from '../dependencies.ts'

type Handler = Handlers<typeof beneficiariesRoutes>['getVirtualAccountEconomics']

export function getVirtualAccountEconomics(dependencies: Dependencies): Handler {
  return async (_input, context) => {
    const economics = await dependencies.providerReads.getVirtualAccountEconomics(context)
    return { items: economics.map((item) => ({ ...item, monthly_fee: { ...item.monthly_fee } })) }
  }
}
