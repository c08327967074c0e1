/** An answer of another shape than promised, or to another request, is `contract_broken` as a whole. */

import type { Provider, ReadResult } from '@financial-agents/provider-port/port'
import { allReads, type ReadName } from '@financial-agents/provider-port/reads'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpAdapter } from './adapter.ts'
import { answer, type RawServer, startRawServer } from './raw-server.test-helper.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function answering(body: unknown, status = 200): Promise<{ provider: Provider; server: RawServer }> {
  const server = await startRawServer((socket) => socket.write(answer(status, body)))
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
const page = { ...call, limit: 2 }
const euro = { amount: '1.00', currency: 'EUR' }

/** An example of the document, to be changed by the test. */
const example = (name: ReadName, variant = 'one'): ReturnType<typeof JSON.parse> =>
  (allReads.find(([read]) => read === name)?.[1].examples.answers ?? {})[variant]

const [account] = example('accounts')
const [movement] = example('activity').items
const [purchase] = example('purchases')
const [service] = example('purchasableServices')
const [fees] = example('virtualAccountEconomics')
const [price] = example('fiatPrices')
const [schema] = example('payoutSchemas')
const limits = example('withdrawalLimits', 'some')
const { quote } = example('transferQuote', 'quoted')
const transfer = { ...call, source_currency: 'EUR', target_currency: 'GBP', amount: '1', fixed_side: 'source' } as const
const wanted = { ...call, service_reference: 'srv_1', product_id: 'one', quantity: 1 }
const movements = (...items: object[]) => ({ items, next_cursor: null })

type Send = (provider: Provider) => Promise<ReadResult<unknown>>
const rows: [name: string, data: unknown, where: string | RegExp, send: Send][] = [
  ['a whole account number', [{ ...account, masked_number: '123456789' }], '0.masked_number', (p) => p.accounts(call)],
  [
    'an amount that is no decimal',
    [{ ...account, balance: { ...account.balance, current: { ...euro, amount: '1e3' } } }],
    '0.balance.current.amount',
    (p) => p.accounts(call),
  ],
  ['an unknown status', [account, { ...account, status: 'odd' }], '1.status', (p) => p.accounts(call)],
  [
    'an account without the owed amount',
    { held: euro, promotional_credit: euro },
    'owed',
    (p) => p.spendingAccount(call),
  ],
  [
    'limits in another currency',
    limits,
    'another currency',
    (p) => p.withdrawalLimits({ ...call, schema: 'sepa', currency: 'GBP' }),
  ],
  [
    'a memo longer than the contract lets it be',
    { ...limits, memo: { ...limits.memo, maximum_characters: 8193 } },
    'memo.maximum_characters',
    (p) => p.withdrawalLimits({ ...call, schema: 'sepa' }),
  ],
  [
    'an unknown identity status',
    { status: 'odd', reason_code: null, updated_at: null },
    'status',
    (p) => p.identityStatus(call),
  ],
  [
    'an amount below zero',
    movements({ ...movement, amount: { ...euro, amount: '-1' } }),
    'items.0.amount.amount',
    (p) => p.activity(page),
  ],
  [
    'a movement of an unknown status',
    movements(movement, { ...movement, status: 'odd' }),
    'items.1.status',
    (p) => p.activity(page),
  ],
  [
    'a time without an offset',
    movements({ ...movement, occurred_at: '2026-03-01T09:00:00' }),
    'items.0.occurred_at',
    (p) => p.activity(page),
  ],
  ['a page without the next cursor', { items: [] }, 'next_cursor', (p) => p.activity(page)],
  [
    'another card',
    movements({ ...movement, source: 'card', card_reference: 'crd_1' }),
    '0 is of another card',
    (p) => p.activity({ ...page, card_reference: 'crd_2' }),
  ],
  [
    'a quote in another currency',
    { type: 'quoted', quote: { ...quote, target: euro } },
    'other currencies',
    (p) => p.transferQuote(transfer),
  ],
  [
    'no quote for an unknown member',
    { type: 'refused', member: 'weather' },
    'member',
    (p) => p.transferQuote(transfer),
  ],
  [
    'a quote without a reference',
    { type: 'quoted', quote: { total: euro, expires_at: quote.expires_at } },
    'quote.reference',
    (p) => p.purchaseQuote(wanted),
  ],
  ['a purchase of another state', [{ ...purchase, state: 'lost' }], '0.state', (p) => p.purchases(call)],
  [
    'older purchases first',
    [purchase, { ...purchase, released_at: '2027-03-02T09:00:00Z' }],
    '1 is newer',
    (p) => p.purchases(call),
  ],
  [
    'prices in another currency',
    [price],
    '0 is in another currency',
    (p) => p.fiatPrices({ ...anybody, currency: 'GBP' }),
  ],
  [
    'a price that is no decimal',
    [{ ...price, price: '1e5' }],
    '0.price',
    (p) => p.fiatPrices({ ...anybody, currency: 'EUR' }),
  ],
  [
    'an asset of half a digit',
    [{ code: 'BTC', name: 'x', type: 'crypto', decimals: 0.5 }],
    '0.decimals',
    (p) => p.assets(anybody),
  ],
  [
    'documentation that is no page',
    [{ ...service, documentation_url: 'javascript:alert(1)' }],
    '0.documentation_url',
    (p) => p.purchasableServices(anybody),
  ],
  [
    'a fee that is a number',
    [{ ...fees, inbound_fee_fixed: 1 }],
    '0.inbound_fee_fixed',
    (p) => p.virtualAccountEconomics(call),
  ],
]

it.each(rows)('%s breaks the contract, and the reason says where', async (_name, data, where, send) => {
  const { provider } = await answering({ data })
  expect(await send(provider)).toEqual({ type: 'contract_broken', reason: expect.stringMatching(where) })
})

it.each([
  ['no JSON', '<html>', 'no JSON'],
  ['data without their member', [], 'as a whole'],
])('%s breaks the contract', async (_name, body, where) => {
  const { provider } = await answering(body)
  expect(await provider.assets(anybody)).toEqual({ type: 'contract_broken', reason: expect.stringMatching(where) })
})

it.each(allReads)('%s: each example of the document is an answer, and a failure is unavailable', async (name, row) => {
  for (const data of Object.values(row.examples.answers)) {
    const { provider } = await answering({ data })
    const send = provider[name] as (request: object) => Promise<ReadResult<unknown>>
    const asked = { ...(row.person ? call : anybody), ...row.asks?.parse(row.examples.asks) }
    expect(await send(asked)).toEqual({ type: 'ok', data: row.answer.parse(data) })
  }
  const { provider } = await answering('', 503)
  const send = provider[name] as (request: object) => Promise<ReadResult<unknown>>
  expect(await send({ ...call, ...row.asks?.parse(row.examples.asks) })).toEqual({
    type: 'unavailable',
    reason: 'provider_error',
  })
})

it('a key of a map is the provider’s own, and not repeated', async () => {
  const { provider } = await answering({ data: [{ ...schema, example_details: { 'PT50 0002': 1 } }] })
  const read = await provider.payoutSchemas(call)
  expect(read).toEqual({ type: 'contract_broken', reason: 'not the promised answer: data.0.example_details.?' })
})

it('times come in the API’s form, however the provider writes them', async () => {
  const { provider } = await answering({ data: movements(movement) })
  const read = await provider.activity(page)
  expect(read).toMatchObject({ data: { items: [{ occurred_at: '2026-03-14T09:26:53.000Z' }] } })
})

describe('what is sent', () => {
  it('reads for everybody carry no credentials', async () => {
    const { provider, server } = await answering({ data: [] })
    await provider.assets(anybody)
    await provider.fiatPrices({ ...anybody, currency: 'EUR' })
    await provider.purchasableServices(anybody)
    expect(server.requests).toHaveLength(3)
    for (const request of server.requests) expect(request.toLowerCase()).not.toContain('authorization')
  })

  it('whom a purchase is for goes in the body, never into the address', async () => {
    const { provider, server } = await answering({ data: { type: 'refused', member: 'recipient' } })
    await provider.purchaseQuote({ ...wanted, recipient: 'someone@example.com' })
    expect(server.requests[0]?.split('\r\n')[0]).toBe('POST /provider/v1/purchase-quotes HTTP/1.1')
  })

  it('a query of activity says everything that was asked for', async () => {
    const { provider, server } = await answering({ data: movements() })
    await provider.activity({
      ...page,
      from: '2026-03-01T00:00:00+01:00',
      to: '2026-04-01T00:00:00Z',
      source: 'spending',
      card_reference: 'crd_1',
      cursor: 'next',
    })
    const [, path] = server.requests[0]?.split(' ') ?? []
    expect(Object.fromEntries(new URL(path ?? '', 'http://x').searchParams)).toEqual({
      from: '2026-03-01T00:00:00+01:00',
      to: '2026-04-01T00:00:00Z',
      source: 'spending',
      card_reference: 'crd_1',
      cursor: 'next',
      limit: '2',
    })
  })
})
