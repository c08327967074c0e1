/** Quotes of transfers and purchases, and past purchases, over HTTP with the real adapter. */

import { amara, daniel, ines, tomasz } from '@financial-agents/provider-http/testing/test-users'
import { makeTarget } from '@financial-agents/provider-port/testing/submissions'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type StartedProvider, startProvider } from './started.test-helper.ts'
import { testUsers } from './test-users.ts'

let fake: StartedProvider
beforeAll(async () => {
  fake = await startProvider()
})
afterEach(async () => {
  await fake.control('PUT', '/control/clock', { offset_ms: 0 })
})
afterAll(() => fake.close())

const call = (credentials: string) => ({ credentials, timeoutMs: 60_000 })
const euros = { source_currency: 'EUR', target_currency: 'EUR', amount: '100', fixed_side: 'source' } as const

it('a transfer comes to what the rate, the network and its fee make of it', async () => {
  const dollars = { ...euros, target_currency: 'USD', amount: '1000.00', fixed_side: 'target' } as const
  const beneficiary_reference = await beneficiaryIn('swift_us_usd')
  const answer = await fake.provider.transferQuote({ ...call(ines), ...dollars, beneficiary_reference })
  expect(answer).toMatchObject({
    data: {
      type: 'quoted',
      quote: {
        source: { amount: '920.00', currency: 'EUR' },
        target: { amount: '1000.00', currency: 'USD' },
        rate: '1.086957',
        // 15 dollars and 25.5 basis points.
        fee: { amount: '16.15', currency: 'EUR' },
        rail: 'swift',
      },
    },
  })
})

const madeBy = async (credentials: string) =>
  (await makeTarget(fake.provider, 'transfer', credentials))?.upstreamReference ?? ''

async function beneficiaryIn(payout_schema_id: string): Promise<string> {
  const outcome = await fake.provider.submit({
    ...call(ines),
    kind: 'beneficiary_create',
    validUntil: new Date(Date.now() + 3_600_000),
    reference: `quoted-${payout_schema_id}`,
    payload: {
      name: 'Wendell Ortiz',
      country: 'US',
      currency: 'USD',
      payout_schema_id,
      details: { bic: 'CHASUS33', account_number: '9876543210', bank_city: 'New York' },
    },
  })
  return outcome.type === 'succeeded' ? outcome.upstreamReference : ''
}

it('a quote lives an hour at most', async () => {
  const transfer = await fake.provider.transferQuote({ ...call(ines), ...euros })
  const letters = { service_reference: 'srv_post', product_id: 'letter-eu', quantity: 3 }
  const purchase = await fake.provider.purchaseQuote({ ...call(ines), ...letters })
  expect(purchase).toMatchObject({ data: { quote: { total: { amount: '4.05', currency: 'EUR' } } } })
  for (const answer of [transfer, purchase]) {
    const quote = answer.type === 'ok' && answer.data.type === 'quoted' ? answer.data.quote : undefined
    const leftMs = Date.parse(quote?.expires_at ?? '') - Date.now()
    expect(leftMs).toBeGreaterThan(0)
    expect(leftMs).toBeLessThanOrEqual(3_600_000)
  }
})

it('what a test user does not have, or is not offered, is not quoted', async () => {
  const refused: [credentials: string, request: object, member: string][] = [
    [amara, euros, 'source_currency'],
    [tomasz, { ...euros, source_currency: 'PLN' }, 'source_currency'],
    [tomasz, { ...euros, target_currency: 'USD' }, 'target_currency'],
    [tomasz, { ...euros, amount: '50.01' }, 'amount'],
    [daniel, { ...euros, source_currency: 'USD' }, 'target_currency'],
    [ines, { ...euros, beneficiary_reference: await madeBy(amara) }, 'beneficiary_reference'],
    [ines, { ...euros, target_currency: 'GBP', beneficiary_reference: await madeBy(ines) }, 'target_currency'],
  ]
  for (const [credentials, request, member] of refused) {
    const answer = await fake.provider.transferQuote({ ...euros, ...request, ...call(credentials) })
    expect(answer).toEqual({ type: 'ok', data: { type: 'refused', member } })
  }
})

it('quotes are reads: a revoked connection still gets them', async () => {
  const credentials = `${ines}~quotes`
  const validUntil = new Date(Date.now() + 3_600_000)
  const revocation = { kind: 'transfer_grant_revoke', reference: 'revoke-quotes', validUntil, payload: {} } as const
  expect((await fake.provider.submit({ ...revocation, ...call(credentials) })).type).toBe('succeeded')
  expect(await fake.provider.transferQuote({ ...call(credentials), ...euros })).toMatchObject({ type: 'ok' })
})

it('every test user has bought several things in every state, of services that there are', async () => {
  const services = await fake.provider.purchasableServices({ timeoutMs: 60_000 })
  const known = services.type === 'ok' ? services.data.map(({ reference }) => reference) : []
  for (const offset_ms of [0, 1, 2, 3].map((days) => days * 86_400_000)) {
    await fake.control('PUT', '/control/clock', { offset_ms })
    for (const { credentials } of testUsers) {
      const read = await fake.provider.purchases(call(credentials))
      const purchases = read.type === 'ok' ? read.data : []
      for (const state of ['released', 'fulfilled', 'refunded'] as const) {
        expect(purchases.filter((purchase) => purchase.state === state).length).toBeGreaterThan(1)
      }
      for (const { service_reference } of purchases) expect(known).toContain(service_reference)
    }
  }
})
