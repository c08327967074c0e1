/**
 * POST /v1/purchases/quotes: the price of a possible purchase. The quote is stored for the client that asked, without
 * the recipient, and is never executable.
 */

import { randomUUIDv7 } from 'node:crypto'
import type { Handlers } from '@financial-agents/bus/rpc'
import { validatePlainTexts } from '@financial-agents/contract/plain-text'
import { fieldsProblem } from '@financial-agents/contract/problem'
import type { purchasesRoutes } from '@financial-agents/contract/routes/purchases'
import type { Dependencies } from '../dependencies.ts'
import { recordQuote, toPurchaseQuote } from '../quote-store.ts'
import { refused } from '../refused.ts'

const maxNamedProducts = 10

export function createPurchaseQuote(
  dependencies: Dependencies,
): Handlers<typeof purchasesRoutes>['createPurchaseQuote'] {
  return async ({ body }, context) => {
    const { product_id, quantity, recipient } = body
    const unplain = validatePlainTexts(body, ['recipient'])
    if (unplain.length > 0) throw fieldsProblem(unplain)
    const services = await dependencies.servicesReads.list(context)
    const service = services.find(({ id }) => id === body.service_id.toLowerCase())
    if (!service) throw refused('service_reference')
    if (!service.product_ids.includes(product_id)) throw refused('product_id', whatIsOffered(service.product_ids))
    const asked = { service_reference: service.reference, product_id, quantity, recipient }
    const quoted = await dependencies.purchaseQuoteRead.get(context, asked)
    if (quoted.type === 'refused') throw refused(quoted.member)
    const { reference, total, expires_at } = quoted.quote
    const quote = { id: randomUUIDv7(), service_id: service.id, product_id, quantity, total, expires_at }
    await recordQuote(dependencies.db, context.principal, { ...quote, reference }, dependencies.clock.now())
    return toPurchaseQuote(quote)
  }
}

function whatIsOffered(productIds: readonly string[]): string {
  if (productIds.length === 0) return 'The service offers no product at present.'
  const named = productIds.slice(0, maxNamedProducts).join(', ')
  const others = productIds.length - maxNamedProducts
  return `Send a product of the service: ${named}${others > 0 ? ` (and ${others} more)` : ''}.`
}
