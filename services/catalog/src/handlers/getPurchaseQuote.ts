/**
 * GET /v1/purchases/quotes/{quote_id}: a quote of the client that asked. An expired quote is returned as long as it is
 * stored.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { purchasesRoutes } from '@financial-agents/contract/routes/purchases'
import type { Dependencies } from '../dependencies.ts'
import { findQuote } from '../quote-store.ts'

export function getPurchaseQuote({ db }: Dependencies): Handlers<typeof purchasesRoutes>['getPurchaseQuote'] {
  return async ({ params }, { principal }) => {
    const quote = await findQuote(db, principal, params.quote_id)
    if (!quote) throw new Problem('purchase_quote_not_found')
    return quote
  }
}
