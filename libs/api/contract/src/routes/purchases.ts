/** Purchases area: indicative quotes for services, and the state of released purchases. */

import { z } from 'zod'
import { route } from '../route.ts'
import { cursor, limit, page, pathId } from '../schemas/primitives.ts'
import { purchase } from '../schemas/purchase.ts'
import { createPurchaseQuoteBody, purchaseQuote } from '../schemas/quote.ts'

const area = { area: 'purchases', service: 'catalog', scope: 'purchases:read', binding: true } as const

export const purchasesRoutes = {
  createPurchaseQuote: route({
    summary: 'Quote a purchase',
    description: 'Indicative: a quote cannot be executed. Not keyed.',
    ...area,
    method: 'POST',
    path: '/v1/purchases/quotes',
    client: 'purchases.createQuote',
    capability: 'purchases.quote',
    body: createPurchaseQuoteBody,
    status: 201,
    response: purchaseQuote,
    problems: ['provider_unavailable'],
  }),
  getPurchaseQuote: route({
    summary: 'Read a purchase quote',
    ...area,
    method: 'GET',
    path: '/v1/purchases/quotes/{quote_id}',
    client: 'purchases.getQuote',
    capability: 'purchases.quote',
    params: z.strictObject({ quote_id: pathId('The purchase quote.') }),
    response: purchaseQuote,
    problems: ['purchase_quote_not_found'],
  }),
  listPurchases: route({
    summary: 'List purchases',
    ...area,
    method: 'GET',
    path: '/v1/purchases',
    client: 'purchases.list',
    capability: 'purchases.read',
    query: z.strictObject({ cursor, limit }),
    response: page(purchase),
    problems: ['provider_unavailable'],
  }),
  getPurchase: route({
    summary: 'Read a purchase',
    ...area,
    method: 'GET',
    path: '/v1/purchases/{purchase_id}',
    client: 'purchases.get',
    capability: 'purchases.read',
    params: z.strictObject({ purchase_id: pathId('The purchase.') }),
    response: purchase,
    problems: ['purchase_not_found', 'provider_unavailable'],
  }),
}
