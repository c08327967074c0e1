/** An answer of another shape than promised, or to another query, is `contract_broken` as a whole. */

import type { Provider, ReadResult } from '@financial-agents/provider-port/port'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpAdapter } from './adapter.ts'
import { answer, type RawServer, startRawServer } from './raw-server.test-helper.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function answering(body: unknown): Promise<{ provider: Provider; server: RawServer }> {
  const server = await startRawServer((socket) => socket.write(answer(200, body)))
  const provider = createHttpAdapter({
    baseUrl: `http://127.0.0.1:${server.port}`,
    connections: 1,
    connectTimeoutMs: 10_000,
  })
  closing.push(
    () => provider.close(),
    () => server.close(),
  )
  return { provider, server }
}

const call = { credentials: 'x', timeoutMs: 60_000 }
const anybody = { timeoutMs: 60_000 }
const asked = { ...call, cursor: null, limit: 2 }
const euro = { value: '1.00', ccy: 'EUR' }

const movement = {
  movement_ref: 'mov_1',
  origin: 'card',
  flow: 'debit',
  amount: euro,
  stage: 'booked',
  text: 'BAKERY',
  other_party: null,
  mcc: '5462',
  card_ref: 'crd_1',
  happened_at: '2026-03-01T09:00:00+01:00',
}
const page = (...movements: object[]) => ({ movements, next_page: null })

const estimate = {
  give: euro,
  receive: { value: '0.85', ccy: 'GBP' },
  rate: '0.85',
  charge: euro,
  network: 'faster_payments',
  arrives_at: null,
  good_until: '2026-03-01T09:00:00+01:00',
}
const quote = { ...call, sourceCurrency: 'EUR', targetCurrency: 'GBP', amount: '1', fixedSide: 'source' } as const
const purchase = { ...call, service: 'off_1', productId: 'one', quantity: 1 }
const order = {
  order_ref: 'ord_1',
  estimate_ref: 'est_1',
  offer_ref: 'off_1',
  stage: 'released',
  total: euro,
  released_at: '2026-03-01T09:00:00Z',
  changed_at: '2026-03-01T09:00:00Z',
}
const price = { ticker: 'BTC', ccy: 'EUR', price: '1', at: '2026-03-01T09:00:00Z' }
const offer = { offer_ref: 'off_1', title: 'One', line: 'one', guide_url: null, skus: ['one'] }
const terms = { ccy: 'EUR', monthly: euro, inbound: { fixed: '0', basis_points: '0' }, settles_in_days: 0 }

type Send = (provider: Provider) => Promise<ReadResult<unknown>>
const rows: [name: string, body: unknown, where: string | RegExp, send: Send][] = [
  [
    'an amount below zero',
    page({ ...movement, amount: { ...euro, value: '-1' } }),
    'movements.0.amount.value',
    (p) => p.activity(asked),
  ],
  ['an unknown stage', page(movement, { ...movement, stage: 'odd' }), 'movements.1.stage', (p) => p.activity(asked)],
  [
    'a time without an offset',
    page({ ...movement, happened_at: '2026-03-01T09:00:00' }),
    'movements.0.happened_at',
    (p) => p.activity(asked),
  ],
  ['a page without what comes next', { movements: [] }, 'next_page', (p) => p.activity(asked)],
  [
    'another card',
    page(movement),
    'movements.0',
    (p) => p.activity({ ...asked, card: { upstreamReference: 'crd_2' } }),
  ],
  [
    'an estimate in another currency',
    { estimate: { ...estimate, receive: euro } },
    'other currencies',
    (p) => p.transferQuote(quote),
  ],
  ['no estimate for an unknown member', { not_offered: 'weather' }, 'as a whole', (p) => p.transferQuote(quote)],
  [
    'an estimate without a reference',
    { estimate: { total: euro, good_until: estimate.good_until } },
    'as a whole',
    (p) => p.purchaseQuote(purchase),
  ],
  ['an order of another stage', { orders: [{ ...order, stage: 'lost' }] }, 'orders.0.stage', (p) => p.purchases(call)],
  [
    'older orders first',
    { orders: [order, { ...order, released_at: '2026-03-02T09:00:00Z' }] },
    'orders.1',
    (p) => p.purchases(call),
  ],
  [
    'prices in another currency',
    { prices: [price] },
    'another currency',
    (p) => p.fiatPrices({ ...anybody, currency: 'GBP' }),
  ],
  [
    'a price that is no decimal',
    { prices: [{ ...price, price: '1e5' }] },
    'prices.0.price',
    (p) => p.fiatPrices({ ...anybody, currency: 'EUR' }),
  ],
  [
    'an asset of half a digit',
    { assets: [{ ticker: 'BTC', title: 'x', sort: 'coin', digits: 0.5 }] },
    'assets.0.digits',
    (p) => p.assets(anybody),
  ],
  [
    'a guide that is no page',
    { offers: [{ ...offer, guide_url: 'javascript:alert(1)' }] },
    'offers.0.guide_url',
    (p) => p.purchasableServices(anybody),
  ],
  [
    'a fee that is a number',
    { terms: [{ ...terms, inbound: { fixed: 1, basis_points: '0' } }] },
    'terms.0.inbound.fixed',
    (p) => p.virtualAccountEconomics(call),
  ],
  ['no JSON', '<html>', 'no JSON', (p) => p.assets(anybody)],
]

it.each(rows)('%s breaks the contract, and the reason says where', async (_name, body, where, send) => {
  const { provider } = await answering(body)
  expect(await send(provider)).toEqual({ type: 'contract_broken', reason: expect.stringMatching(where) })
})

it('a key of a map is the provider’s own, and not repeated', async () => {
  const scheme = { scheme_id: 'x', title: 'x', country_code: 'PT', currency_code: 'EUR', network: 'sepa', inputs: [] }
  const { provider } = await answering({ schemes: [{ ...scheme, sample: { 'PT50 0002': 1 } }] })
  const read = await provider.payoutSchemas(call)
  expect(read).toEqual({ type: 'contract_broken', reason: 'not the promised answer: schemes.0.sample.?' })
})

it('times come in the API’s form, however the provider writes them', async () => {
  const { provider } = await answering(page(movement))
  const read = await provider.activity(asked)
  expect(read).toMatchObject({ data: { items: [{ occurred_at: '2026-03-01T08:00:00.000Z' }] } })
})

describe('what is sent', () => {
  it('reads for everybody carry no credentials', async () => {
    const { provider, server } = await answering({ assets: [] })
    await provider.assets(anybody)
    await provider.fiatPrices({ ...anybody, currency: 'EUR' })
    await provider.purchasableServices(anybody)
    expect(server.requests).toHaveLength(3)
    for (const request of server.requests) expect(request.toLowerCase()).not.toContain('authorization')
  })

  it('whom a purchase is for goes in the body, never into the address', async () => {
    const { provider, server } = await answering({ not_offered: 'recipient' })
    await provider.purchaseQuote({ ...purchase, recipient: 'someone@example.com' })
    expect(server.requests[0]?.split('\r\n')[0]).toBe('POST /provider/v1/purchase-estimates HTTP/1.1')
  })

  it('a query of activity says everything that was asked for', async () => {
    const { provider, server } = await answering(page())
    await provider.activity({
      ...asked,
      from: '2026-03-01T00:00:00+01:00',
      to: '2026-04-01T00:00:00Z',
      source: 'spending',
      card: { upstreamReference: 'crd_1' },
      cursor: 'next',
    })
    const [, path] = server.requests[0]?.split(' ') ?? []
    expect(Object.fromEntries(new URL(path ?? '', 'http://x').searchParams)).toEqual({
      since: '2026-03-01T00:00:00+01:00',
      before: '2026-04-01T00:00:00Z',
      origin: 'purse',
      card_ref: 'crd_1',
      page: 'next',
      size: '2',
    })
  })
})
