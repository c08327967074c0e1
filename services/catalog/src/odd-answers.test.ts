/** A provider whose answers have the right form and still cannot be shown, or lack what others have. */

import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/area'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPolicy, type Page, type Stack, startStack } from './started.test-helper.ts'

const asset = { code: 'EUR', name: 'Euro', type: 'fiat', decimals: 2 } as const
const price = { asset: 'EUR', currency: 'EUR', price: '1', as_of: '2026-01-01T00:00:00.000Z' }
const service = { reference: 'r', name: 'R', category: 'r', documentation_url: null, product_ids: ['one'] }
const money = { amount: '1.00', currency: 'EUR' }
const quote = { source: money, target: { ...money, currency: 'GBP' }, rate: '1', fee: money, rail: 'r' }

let assets = [asset, { ...asset, code: 'GBP' }]
let prices = [price]
let services = [service]
let stack: Stack
beforeAll(async () => {
  stack = await startStack({
    answers: () => ({
      assets: async () => ({ type: 'ok', data: assets }),
      fiatPrices: async () => ({ type: 'ok', data: prices }),
      purchasableServices: async () => ({ type: 'ok', data: services }),
      transferQuote: async () => ({
        type: 'ok',
        data: { type: 'quoted', quote: { ...quote, estimated_arrival: null, expires_at: '2026-01-01T00:00:00.000Z' } },
      }),
    }),
  })
})
afterAll(() => stack.stop())

let hours = 0
const later = () => stack.clock.setOffsetMs((hours += 1) * 3_600_000)

test('an asset without a price is left out', async () => {
  const page = dataOf(await stack.send('listFiatPrices', null, { query: { assets: 'EUR,GBP' } })) as Page<object>
  expect(page.items).toEqual([price])
  expect(dataOf(await stack.send('listFiatPrices', null, { query: { assets: 'GBP' } }))).toEqual({
    items: [],
    next_cursor: null,
  })
})

test('a price in another currency, and an asset or a service listed twice, break the contract', async () => {
  later()
  prices = [{ ...price, currency: 'GBP' }]
  assets = [asset, asset]
  services = [service, service]
  const replies = [
    await stack.send('listFiatPrices', null),
    await stack.send('listAssets', null),
    await stack.send('listServices', newPrincipal(), { scopes: [], policy: openPolicy }),
  ]
  expect(replies.map((reply) => problemOf(reply).code)).toEqual(Array(3).fill('response_contract_failed'))
})

test('a transfer quote for something else than was asked for breaks the contract', async () => {
  const asked = { source_currency: 'EUR', target_currency: 'GBP', amount: '1', fixed_side: 'source' }
  const send = (changes: object) =>
    stack.send('createTransferQuote', newPrincipal(), { body: { ...asked, ...changes } })
  dataOf(await send({}))
  for (const changes of [{ amount: '2' }, { target_currency: 'USD' }, { source_currency: 'USD' }])
    expect(problemOf(await send(changes)).code).toBe('response_contract_failed')
})
