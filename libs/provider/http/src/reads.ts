/** The address and query of every read of the port in the Provider API. Other files validate the answers. */

import { providerPath } from '@financial-agents/provider-api/paths'
import type { Provider } from '@financial-agents/provider-port/port'
import { accountsOf, identityStatusOf, spendingAccountOf, withdrawalLimitsOf } from './accounts.ts'
import { activityOf, activityPath } from './activity.ts'
import { get, post, withQuery } from './calls.ts'
import type { Exchange } from './exchange.ts'
import { assetsOf, fiatPricesOf, virtualAccountEconomicsOf } from './market.ts'
import { purchaseQuoteOf, purchasesOf, servicesOf, transferQuoteOf } from './quotes.ts'
import { addressCountriesOf, payoutSchemasOf } from './reference-data.ts'

/** The reads of the port. */
export function createReads(exchange: Exchange) {
  return {
    identityStatus: async (call) => identityStatusOf(await get(exchange, providerPath('readIdentity'), call)),
    accounts: async (call) => accountsOf(await get(exchange, providerPath('readAccounts'), call)),
    spendingAccount: async (call) => spendingAccountOf(await get(exchange, providerPath('readPurse'), call)),
    withdrawalLimits: async (query) => {
      const asked = { scheme_id: query.schema, ccy: query.currency, account_kind: query.accountType }
      return withdrawalLimitsOf(await get(exchange, withQuery(providerPath('readLimits'), asked), query), query)
    },
    activity: async (query) => activityOf(await get(exchange, activityPath(query), query), query),
    virtualAccountEconomics: async (call) =>
      virtualAccountEconomicsOf(await get(exchange, providerPath('readAccountNumberTerms'), call)),
    payoutSchemas: async (call) => payoutSchemasOf(await get(exchange, providerPath('readPayoutSchemes'), call)),
    addressCountries: async (call) => addressCountriesOf(await get(exchange, providerPath('readCountries'), call)),
    assets: async (call) => assetsOf(await get(exchange, providerPath('readAssets'), call)),
    fiatPrices: async (query) =>
      fiatPricesOf(await get(exchange, withQuery(providerPath('readPrices'), { ccy: query.currency }), query), query),
    purchasableServices: async (call) => servicesOf(await get(exchange, providerPath('readOffers'), call)),
    purchases: async (call) => purchasesOf(await get(exchange, providerPath('readOrders'), call)),
    transferQuote: async (request) => {
      const asked = {
        from_ccy: request.sourceCurrency,
        to_ccy: request.targetCurrency,
        value: request.amount,
        fixed: request.fixedSide === 'source' ? 'from' : 'to',
        payee_ref: request.beneficiary?.upstreamReference ?? null,
      }
      return transferQuoteOf(await post(exchange, providerPath('estimateTransfer'), request, asked), request)
    },
    purchaseQuote: async (request) => {
      const { service, productId, quantity, recipient = null } = request
      const asked = { offer_ref: service, sku: productId, quantity, recipient }
      return purchaseQuoteOf(await post(exchange, providerPath('estimatePurchase'), request, asked))
    },
  } satisfies Partial<Provider>
}
