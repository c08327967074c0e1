/** Transfer-quotes area: the estimated cost and result of a transfer. Quotes are indicative and cannot be executed. */

import { route } from '../route.ts'
import { createTransferQuoteBody, transferQuote } from '../schemas/quote.ts'

export const transferQuotesRoutes = {
  createTransferQuote: route({
    summary: 'Quote a transfer',
    description: 'Indicative: a quote cannot be executed. Not keyed.',
    method: 'POST',
    path: '/v1/quotes',
    client: 'quotes.create',
    capability: 'transfers.quote',
    area: 'transfer-quotes',
    service: 'catalog',
    scope: 'transfers:quote',
    binding: true,
    body: createTransferQuoteBody,
    status: 201,
    response: transferQuote,
    problems: ['provider_unavailable'],
  }),
}
