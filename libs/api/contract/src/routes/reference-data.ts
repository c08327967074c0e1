/** Reference-data area: public routes without credentials. */

import { z } from 'zod'
import { route } from '../route.ts'
import { cursor, limit, page } from '../schemas/primitives.ts'
import { asset, fiatPrice, fiatPricesQuery } from '../schemas/reference-data.ts'

const area = { area: 'reference-data', service: 'catalog', method: 'GET' } as const

export const referenceDataRoutes = {
  listAssets: route({
    summary: 'List assets',
    description: 'Public.',
    ...area,
    path: '/v1/reference-data/assets',
    client: 'referenceData.assets',
    query: z.strictObject({ cursor, limit }),
    response: page(asset),
    problems: ['provider_unavailable'],
  }),
  listFiatPrices: route({
    summary: 'List the prices of assets in a currency',
    description: 'Public.',
    ...area,
    path: '/v1/reference-data/fiat-prices',
    client: 'referenceData.fiatPrices',
    query: fiatPricesQuery,
    response: page(fiatPrice),
    problems: ['provider_unavailable'],
  }),
}
