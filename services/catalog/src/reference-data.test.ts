import { providerReads } from '@financial-agents/provider-port/reads'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { dataOf, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Page, type Stack, startStack } from './started.test-helper.ts'

type Price = { asset: string; currency: string; price: string; as_of: string }

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ clock: createFrozenClock() })
})
afterAll(() => stack.stop())
let hours = 0
afterEach(async () => {
  await stack.recover()
  // Expires all cached reads of the previous test.
  stack.clock.setOffsetMs((hours += 1) * 3_600_000)
})
const pass = (ms: number) => stack.clock.setOffsetMs(hours * 3_600_000 + ms)

const assets = (query: Record<string, string> = {}) => stack.send('listAssets', null, { query })
const prices = (query: Record<string, string> = {}) => stack.send('listFiatPrices', null, { query })
const pricesOf = async (query: Record<string, string> = {}) => dataOf(await prices(query)) as Page<Price>

test('assets are listed in the order of their codes, for nobody in particular', async () => {
  const { items } = dataOf(await assets()) as Page<{ code: string }>
  const codes = items.map(({ code }) => code)
  expect(codes).toEqual(codes.toSorted())
  expect(items).toContainEqual({ code: 'BTC', name: 'Bitcoin', type: 'crypto', decimals: 8 })
  expect(items).toContainEqual({ code: 'EUR', name: 'Euro', type: 'fiat', decimals: 2 })
})

test('pages follow each other and show each asset once; a cursor is of one list alone', async () => {
  const all = (dataOf(await assets()) as Page<{ code: string }>).items
  const first = dataOf(await assets({ limit: '5' })) as Page<{ code: string }>
  const rest = dataOf(await assets({ limit: '5', cursor: first.next_cursor ?? '' })) as Page<{ code: string }>
  expect([...first.items, ...rest.items]).toEqual(all)
  expect(rest.next_cursor).toBeNull()
  const refused = await prices({ limit: '5', cursor: first.next_cursor ?? '' })
  expect(problemOf(refused).fields).toMatchObject([{ path: 'cursor' }])
})

test('prices are in the currency that was asked for, in euros where none was', async () => {
  const inEuros = await pricesOf()
  expect(inEuros.items.map(({ asset }) => asset)).toContain('BTC')
  expect(new Set(inEuros.items.map(({ currency }) => currency))).toEqual(new Set(['EUR']))
  expect((await pricesOf({ currency: 'GBP' })).items.every(({ currency }) => currency === 'GBP')).toBe(true)
})

test('only the assets that were asked for are priced, page by page', async () => {
  const first = await pricesOf({ assets: 'SOL,BTC,ETH', limit: '2' })
  expect(first.items.map(({ asset }) => asset)).toEqual(['BTC', 'ETH'])
  const rest = await pricesOf({ assets: 'SOL,BTC,ETH', limit: '2', cursor: first.next_cursor ?? '' })
  expect(rest.items.map(({ asset }) => asset)).toEqual(['SOL'])
  expect(rest.next_cursor).toBeNull()
})

test('an asset that there is not is refused by name', async () => {
  const { code, fields } = problemOf(await prices({ assets: 'BTC,NOPE' }))
  expect(code).toBe('validation_failed')
  expect(fields).toMatchObject([{ path: 'assets', message: expect.stringContaining('NOPE') }])
})

test.each(['XXX', 'BTC', 'ZZZ'])(
  '%s, no fiat asset, is refused before the provider is asked for prices',
  async (currency) => {
    await stack.fail('fiatPrices')
    const { code, fields } = problemOf(await prices({ currency }))
    expect([code, fields]).toMatchObject(['validation_failed', [{ path: 'currency' }]])
    expect(problemOf(await prices()).code).toBe('provider_unavailable')
  },
)

test('what was read is kept for its time and no longer', async () => {
  await assets()
  await pricesOf()
  await stack.fail('assets')
  await stack.fail('fiatPrices')
  pass(providerReads.fiatPrices.cacheMs - 5_000)
  dataOf(await prices({ assets: 'BTC' }))
  pass(providerReads.fiatPrices.cacheMs)
  expect(problemOf(await prices()).code).toBe('provider_unavailable')
  dataOf(await assets())
  pass(providerReads.assets.cacheMs)
  expect(problemOf(await assets()).code).toBe('provider_unavailable')
})

test('a provider that breaks its word is not passed on, and its words are in no log', async () => {
  await stack.provider.ask('POST', '/control/faults', { script: 'malform', match: { kind: 'assets' } })
  expect(problemOf(await assets()).code).toBe('response_contract_failed')
})
