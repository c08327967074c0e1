/** Cases of quotes, purchases, services and prices: quotes match the request, and lists agree with one another. */

import assert from 'node:assert/strict'
import { checkDistinct, checkNewestFirst, dataOf } from './read-checks.ts'
import type { ReadCase } from './read-harness.ts'

export const quoteCases: readonly ReadCase[] = [
  {
    name: 'transferQuote: is in the currencies asked for, and leaves the fixed side as it is',
    needs: [],
    async run({ provider, person, asks: { transferQuote } }) {
      for (const fixed_side of ['source', 'target'] as const) {
        const answer = dataOf(await provider.transferQuote({ ...transferQuote, ...person, fixed_side }))
        assert(answer.type === 'quoted', JSON.stringify(answer))
        const { source, target } = answer.quote
        assert.equal(source.currency, transferQuote.source_currency)
        assert.equal(target.currency, transferQuote.target_currency)
        const fixed = fixed_side === 'source' ? source : target
        assert.equal(Number(fixed.amount), Number(transferQuote.amount))
      }
    },
  },
  {
    name: 'transferQuote: what does not fit is refused for its member',
    needs: [],
    async run({ provider, person, refusedTransferQuotes }) {
      for (const [member, request] of refusedTransferQuotes) {
        const answer = dataOf(await provider.transferQuote({ ...request, ...person }))
        assert.deepEqual(answer, { type: 'refused', member })
      }
    },
  },
  {
    name: 'purchaseQuote: each has a reference of its own',
    needs: [],
    async run({ provider, person, asks: { purchaseQuote } }) {
      const references: string[] = []
      for (const _ of [1, 2]) {
        const answer = dataOf(await provider.purchaseQuote({ ...purchaseQuote, ...person }))
        assert(answer.type === 'quoted', JSON.stringify(answer))
        references.push(answer.quote.reference)
      }
      checkDistinct(references)
    },
  },
  {
    name: 'purchaseQuote: what does not fit is refused for its member',
    needs: [],
    async run({ provider, person, refusedPurchaseQuotes }) {
      for (const [member, request] of refusedPurchaseQuotes) {
        const answer = dataOf(await provider.purchaseQuote({ ...request, ...person }))
        assert.deepEqual(answer, { type: 'refused', member })
      }
    },
  },
  {
    name: 'purchases: each has a reference of its own, newest first, the same each time, and is nobody else’s',
    needs: [],
    async run({ provider, person, stranger }) {
      const mine = dataOf(await provider.purchases(person))
      assert(mine.length > 0, 'the harness’s person has no purchases')
      checkNewestFirst(mine.map(({ released_at }) => released_at))
      assert.deepEqual(dataOf(await provider.purchases(person)), mine)
      const all = [...mine, ...dataOf(await provider.purchases(stranger))]
      checkDistinct(all.map(({ reference }) => reference))
      for (const { released_at, updated_at } of all) assert(updated_at >= released_at, 'changed before it was there')
    },
  },
  {
    name: 'purchasableServices: each has a reference of its own and distinct products, the same each time',
    needs: [],
    async run({ provider, person: { timeoutMs } }) {
      const services = dataOf(await provider.purchasableServices({ timeoutMs }))
      checkDistinct(services.map(({ reference }) => reference))
      for (const { product_ids } of services) checkDistinct(product_ids)
      assert.deepEqual(dataOf(await provider.purchasableServices({ timeoutMs })), services)
    },
  },
  {
    name: 'fiatPrices: are of assets that there are, one each, in the currency asked for, and none in an unknown one',
    needs: [],
    async run({ provider, person: { timeoutMs }, asks: { fiatPrices } }) {
      const codes = dataOf(await provider.assets({ timeoutMs })).map(({ code }) => code)
      checkDistinct(codes)
      const prices = dataOf(await provider.fiatPrices({ timeoutMs, ...fiatPrices }))
      assert(prices.length > 0, 'there are no prices')
      checkDistinct(prices.map(({ asset }) => asset))
      for (const { asset, currency } of prices) {
        assert(codes.includes(asset), 'a price of what is no asset')
        assert.equal(currency, fiatPrices.currency)
      }
      assert.deepEqual(dataOf(await provider.fiatPrices({ timeoutMs, currency: 'XTS' })), [])
    },
  },
]
