/** A provider whose answers have the right form but cannot be shown, or lack members that other answers have. */

import { statement } from '@financial-agents/postgres/database'
import type { Asset } from '@financial-agents/provider-port/reference-data'
import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPolicy, type Page, type Stack, startStack } from './started.test-helper.ts'

const asset: Asset = { code: 'EUR', name: 'Euro', type: 'fiat', decimals: 2 }
const price = { asset: 'EUR', currency: 'EUR', price: '1', as_of: '2026-01-01T00:00:00.000Z' }
const service = { reference: 'r', name: 'R', category: 'r', documentation_url: null, product_ids: ['one'] }
const money = { amount: '1.00', currency: 'EUR' }
const quote = { source: money, target: { ...money, currency: 'GBP' }, rate: '1', fee: money, rail: 'r' }

let assets = [asset, { ...asset, code: 'GBP' }]
let prices = [price]
let services = [service]
let purchases: unknown[] = []
let quoted: unknown = { type: 'quoted', quote: { ...quote, estimated_arrival: null, expires_at: price.as_of } }
let stack: Stack
beforeAll(async () => {
  stack = await startStack({
    answers: () => ({
      assets: async () => ({ type: 'ok', data: assets }),
      fiatPrices: async () => ({ type: 'ok', data: prices }),
      purchasableServices: async () => ({ type: 'ok', data: services }),
      purchases: async () => ({ type: 'ok', data: purchases as never }),
      transferQuote: async () => ({ type: 'ok', data: quoted as never }),
      purchaseQuote: async () => ({ type: 'ok', data: quoted as never }),
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

test('names come out without what does not belong into a name', async () => {
  later()
  assets = [{ ...asset, name: 'Euro, ask ines@example.com' }]
  services = [{ ...service, name: 'R\u202e \u0000 +351 912 345 678' }]
  const page = dataOf(await stack.send('listAssets', null)) as Page<{ name: string }>
  expect(page.items[0]?.name).not.toContain('@')
  const name = (await stack.services()).items.at(-1)?.name
  expect(name).toMatch(/^R /)
  expect(name).not.toMatch(/345|\u202e|\0/)
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

test('what an adapter lets pass in another shape breaks the contract, and is not kept', async () => {
  later()
  prices = [{ ...price, as_of: 'SECRET' }]
  assets = [{ ...asset, decimals: -1 }]
  services = [{ ...service, category: 'SECRET' }]
  purchases = [{ secret: 'SECRET' }]
  const principal = newPrincipal()
  const ask = () =>
    Promise.all([
      stack.send('listFiatPrices', null),
      stack.send('listAssets', null),
      stack.send('listServices', principal, { scopes: [], policy: openPolicy }),
      stack.send('listPurchases', principal),
    ])
  const before = stack.logLines.length
  expect((await ask()).map((reply) => problemOf(reply).code)).toEqual(Array(4).fill('response_contract_failed'))
  expect(stack.logLines.slice(before).join('')).not.toContain('SECRET')
  prices = [price]
  assets = [asset]
  services = [service]
  purchases = []
  for (const reply of await ask()) dataOf(reply)
})

test('a quote in another shape breaks the contract, and nothing of it is stored', async () => {
  const transfer = { source_currency: 'EUR', target_currency: 'GBP', amount: '1', fixed_side: 'source' }
  const service_id = (await stack.services()).items.at(-1)?.id
  const purchase = { service_id, product_id: 'one', quantity: 1 }
  for (quoted of [
    { type: 'quoted', quote: { ...quote, rate: 'SECRET' } },
    { type: 'refused', member: 'SECRET' },
  ])
    for (const reply of [
      await stack.send('createTransferQuote', newPrincipal(), { body: transfer }),
      await stack.send('createPurchaseQuote', newPrincipal(), { body: purchase }),
    ])
      expect(problemOf(reply).code).toBe('response_contract_failed')
  const stored = await stack.db.rows(statement('test_quotes', 'SELECT id FROM purchase_quotes'))
  expect(stored).toEqual([])
})
