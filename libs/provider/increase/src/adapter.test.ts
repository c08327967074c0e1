/** Outcomes, errors, lost answers and repetitions that the port's cases do not make, over the fake. */

import { randomUUID } from 'node:crypto'
import type { Provider } from '@financial-agents/provider-port/port'
import { make } from '@financial-agents/provider-port/testing/submissions'
import type Increase from 'increase'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import adapter from './package.ts'
import { apiKey, type Fake, type Fault, startFake } from './testing/fake.ts'
import { credentials, increaseKinds, openAdapter, payee, payloads, ready } from './testing/submissions.ts'
import { findCents } from './transfers.ts'

let fake: Fake
let provider: Provider
beforeAll(async () => {
  fake = await startFake()
  provider = openAdapter(fake.url)
})
afterAll(async () => {
  await provider.close()
  await fake.close()
})

const call = { credentials, timeoutMs: 60_000 }

const lookupOf = ({ kind, reference, target }: Awaited<ReturnType<typeof ready>>) => ({
  ...call,
  kind,
  reference,
  target,
  upstreamReference: null,
})

describe('every kind that Increase executes', () => {
  for (const kind of increaseKinds) {
    const unproven: readonly Fault[] = ['used_key', 'rate_limited', 'error_500', 'bare_403', 'nonsense']
    test.each(unproven)(`${kind}: an answer that proves nothing (%s) is uncertain, and arrives once`, async (fault) => {
      const request = await ready(provider, kind)
      fake.order(request.reference, fault)
      expect((await provider.submit(request)).type).toBe('uncertain')
      expect(fake.arrivals(request.reference)).toBe(1)
    })

    test(`${kind}: an answer that comes too late is uncertain`, async () => {
      const request = { ...(await ready(provider, kind)), timeoutMs: 3_000 }
      fake.order(request.reference, 'slow')
      expect(await provider.submit(request)).toMatchObject({ type: 'uncertain', failureCode: 'provider_timeout' })
      await expect.poll(() => fake.arrivals(request.reference)).toBe(1)
      const { type } = await provider.lookup(lookupOf(request))
      expect(type).toBe(kind === 'card_freeze' || kind === 'card_unfreeze' ? 'not_found' : 'found')
    })

    test(`${kind}: a refused API key is a refusal of the installation, not of the owner`, async () => {
      const request = await ready(provider, kind)
      const other = openAdapter(fake.url, { apiKey: 'sandbox_key_revoked' })
      const outcome = await other.submit(request)
      expect(outcome).toMatchObject({ type: 'failed', failureCode: 'provider_refused' })
      expect(JSON.stringify(outcome)).not.toContain('sandbox_key_revoked')
      await other.close()
    })
  }

  test('a submission that is sent again by mistake makes no second object', async () => {
    const request = await ready(provider, 'transfer')
    const first = await provider.submit(request)
    expect(await provider.submit(request)).toEqual(first)
    expect((await provider.lookup(lookupOf(request))).type).toBe('found')
  })
})

describe('changes of a card', () => {
  test.each([
    ['card_freeze', 'disabled'],
    ['card_unfreeze', 'active'],
    ['card_close', 'canceled'],
  ] as const)('%s: succeeds with the card in its answer, and Increase keeps it %s', async (kind, status) => {
    const request = await ready(provider, kind)
    const upstreamReference = request.target?.upstreamReference
    expect(await provider.submit(request)).toEqual({ type: 'succeeded', upstreamReference })
    const found = fake.exchanged.findLast(({ method }) => method === 'PATCH')
    expect(found).toMatchObject({ path: `/cards/${upstreamReference}`, body: { status } })
    expect(fake.arrivals(request.reference)).toBe(1)
  })

  test.each(['card_freeze', 'card_unfreeze'] as const)(
    '%s: a lost answer is never proven by the state',
    async (kind) => {
      const request = await ready(provider, kind)
      fake.order(request.reference, 'drop_reply')
      expect((await provider.submit(request)).type).toBe('uncertain')
      expect((await provider.lookup(lookupOf(request))).type).toBe('not_found')
    },
  )

  test('card_close: a lost answer is proven by the final state of the card, and not before', async () => {
    const request = await ready(provider, 'card_close')
    expect((await provider.lookup(lookupOf(request))).type).toBe('not_found')
    fake.order(request.reference, 'drop_reply')
    expect((await provider.submit(request)).type).toBe('uncertain')
    expect(await provider.lookup(lookupOf(request))).toMatchObject({ type: 'found', state: 'succeeded' })
    const stranger = { ...lookupOf(request), credentials: JSON.stringify({ account_id: 'account_second' }) }
    expect((await provider.lookup(stranger)).type).toBe('ambiguous')
  })

  test('a change of a closed card is refused', async () => {
    const request = await ready(provider, 'card_close')
    await provider.submit(request)
    const again = { ...request, kind: 'card_freeze', reference: randomUUID() } as const
    expect(await provider.submit(again)).toMatchObject({ type: 'failed', failureCode: 'provider_refused' })
  })
})

describe('transfers', () => {
  test('the payout schema of the beneficiary chooses the rail', async () => {
    const creating = await ready(provider, 'beneficiary_create', {
      payload: { ...payee, payout_schema_id: 'rtp_us_usd' },
    })
    const request = await ready(provider, 'transfer', { target: await make(provider, creating) })
    const outcome = await provider.submit(request)
    expect(outcome).toMatchObject({ type: 'succeeded' })
    expect('upstreamReference' in outcome && outcome.upstreamReference).toMatch(/^real_time_payments_transfer_/)
    const sent = fake.exchanged.findLast(({ path }) => path === '/real_time_payments_transfers')
    expect(sent?.body).toMatchObject({ amount: 1_250, creditor_name: 'Wendell Ortiz' })
    expect(await provider.lookup(lookupOf(request))).toMatchObject({ type: 'found', state: 'succeeded' })
    const numberless = {
      ...request,
      credentials: JSON.stringify({ account_id: 'account_first' }),
      reference: randomUUID(),
    }
    expect(await provider.submit(numberless)).toMatchObject({ type: 'failed', failureCode: 'submission_invalid' })
    expect(fake.arrivals(numberless.reference)).toBe(0)
  })

  test('a lost answer of a real-time transfer is proven by its list, and a lost request by none', async () => {
    const creating = await ready(provider, 'beneficiary_create', {
      payload: { ...payee, payout_schema_id: 'rtp_us_usd' },
    })
    const target = await make(provider, creating)
    for (const [fault, found] of [
      ['drop_reply', { type: 'found', state: 'succeeded' }],
      ['drop_request', { type: 'not_found' }],
    ] as const) {
      const request = await ready(provider, 'transfer', { target })
      fake.order(request.reference, fault)
      expect((await provider.submit(request)).type).toBe('uncertain')
      expect(fake.arrivals(request.reference)).toBe(1)
      const result = await provider.lookup(lookupOf(request))
      expect(result).toMatchObject(found)
      // Increase promises nothing about deadlines: no read has a time that would prove absence.
      expect(result).not.toHaveProperty('providerTime')
    }
  })

  test('one that waits for approval at Increase is submitted, and ends as its people decide', async () => {
    const careful = openAdapter(fake.url, { approveTransfers: true })
    const request = await ready(careful, 'transfer')
    expect((await careful.submit(request)).type).toBe('submitted')
    expect(await careful.lookup(lookupOf(request))).toMatchObject({ type: 'found', state: 'pending' })
    fake.change(request.reference, { status: 'canceled' })
    expect(await careful.lookup(lookupOf(request))).toMatchObject({ type: 'found', state: 'failed' })
    await careful.close()
  })

  test.each([
    ['submitted', null, 'pending'],
    ['submitted', { settled_at: '2026-02-01T00:00:00Z' }, 'succeeded'],
    ['returned', { settled_at: '2026-02-01T00:00:00Z' }, 'failed'],
    ['rejected', null, 'failed'],
    ['requires_attention', null, 'pending'],
    ['a_status_of_tomorrow', null, 'pending'],
  ])('an ACH transfer with status %s and settlement %j is %s', async (status, settlement, state) => {
    const request = await ready(provider, 'transfer')
    await provider.submit(request)
    fake.change(request.reference, { status, settlement })
    expect(await provider.lookup(lookupOf(request))).toMatchObject({ type: 'found', state })
  })

  test.each([
    ['another currency', { currency: 'EUR' }],
    ['parts of a cent', { amount: '1.005' }],
    ['a long memo', { memo: 'x'.repeat(141) }],
  ])('%s: nothing is sent', async (_, change) => {
    const payload = { ...payloads['transfer'], ...change }
    const request = await ready(provider, 'transfer', { payload })
    expect(await provider.submit(request)).toMatchObject({ type: 'failed', failureCode: 'submission_invalid' })
    expect(fake.arrivals(request.reference)).toBe(0)
  })

  test('a beneficiary that was archived or described anew at Increase is not paid', async () => {
    for (const change of [{ status: 'archived' }, { description: 'Landlord' }]) {
      const creating = await ready(provider, 'beneficiary_create')
      const request = await ready(provider, 'transfer', { target: await make(provider, creating) })
      fake.change(creating.reference, change)
      expect(await provider.submit(request)).toMatchObject({ failureCode: 'provider_rejected_details' })
      expect(fake.arrivals(request.reference)).toBe(0)
    }
  })

  test('an object of another account is ambiguous', async () => {
    const request = await ready(provider, 'card_create')
    await provider.submit(request)
    fake.change(request.reference, { idempotency_key: 'another' })
    expect((await provider.lookup(lookupOf(request))).type).toBe('ambiguous')
  })

  test('amounts are whole cents', () => {
    expect(['12.5', '1e2', '+0.01', '0', '-1', '0.001', 'x'].map(findCents)).toEqual([
      1_250,
      10_000,
      1,
      ...Array<undefined>(4).fill(undefined),
    ])
  })
})

test('card details are refused unless the installation asks for the iframe', async () => {
  const silent = openAdapter(fake.url, { revealsCards: false })
  const card = await make(provider, await ready(provider, 'card_create'))
  const request = { ...call, reference: randomUUID(), card }
  expect((await silent.startCardReveal(request)).type).toBe('refused')
  expect((await provider.startCardReveal(request)).type).toBe('started')
  const stranger = { ...request, credentials: JSON.stringify({ account_id: 'account_second' }) }
  expect((await provider.startCardReveal(stranger)).type).toBe('refused')
  await silent.close()
})

describe('reads', () => {
  const transaction = (number: number, route: string | null): Increase.Transaction => ({
    type: 'transaction',
    id: `transaction_${number}`,
    account_id: 'account_first',
    amount: number % 2 === 0 ? 100 * number : -100 * number,
    created_at: `2026-03-0${number}T10:00:00-05:00`,
    currency: 'USD',
    description: `Movement ${number}`,
    route_id: route,
    route_type: route === null ? null : 'card',
    source: { category: 'other' },
  })

  test('the account of the connection, with its balance', async () => {
    expect(await provider.accounts(call)).toMatchObject({
      type: 'ok',
      data: [{ reference: 'account_first', balance: { available: { amount: '123.45', currency: 'USD' } } }],
    })
    const nobody = { ...call, credentials: 'of-nobody-at-all' }
    expect(await provider.accounts(nobody)).toEqual({ type: 'unavailable', reason: 'provider_authentication_failed' })
    const unknown = { ...call, credentials: JSON.stringify({ account_id: 'account_third' }) }
    expect(await provider.accounts(unknown)).toEqual({ type: 'unavailable', reason: 'provider_refused' })
  })

  test('movements page by page, of a period, of a source, of a card, with cursors of their own query', async () => {
    fake.addTransactions([1, 2, 3, 4, 5].map((number) => transaction(number, number > 3 ? 'card_one' : null)))
    const read = async (changes: object) => {
      const page = await provider.activity({ ...call, limit: 2, ...changes })
      if (page.type !== 'ok') throw new Error(JSON.stringify(page))
      return page.data
    }
    const first = await read({})
    expect(first.items.map(({ reference }) => reference)).toEqual(['transaction_5', 'transaction_4'])
    expect(first.items[0]).toMatchObject({ direction: 'out', amount: { amount: '5.00' }, source: 'card' })
    expect(first.items[0]?.occurred_at).toBe('2026-03-05T15:00:00.000Z')
    const second = await read({ cursor: first.next_cursor })
    expect(second.items.map(({ reference }) => reference)).toEqual(['transaction_3', 'transaction_2'])
    const stolen = { ...call, limit: 2, cursor: first.next_cursor ?? undefined, source: 'account' } as const
    expect((await provider.activity(stolen)).type).toBe('contract_broken')
    const period = await read({ limit: 9, from: '2026-03-02T15:00:00Z', to: '2026-03-04T15:00:00Z' })
    expect(period.items.map(({ reference }) => reference)).toEqual(['transaction_3', 'transaction_2'])
    expect((await read({ limit: 9, card_reference: 'card_one' })).items).toHaveLength(2)
    expect((await read({ limit: 9, source: 'account' })).items).toHaveLength(3)
    expect((await read({ source: 'spending' })).items).toEqual([])
  })

  test('reads move nothing', async () => {
    const before = fake.mutations()
    await provider.payoutSchemas(call)
    await provider.spendingAccount(call)
    await provider.identityStatus(call)
    expect(fake.mutations()).toBe(before)
  })
})

test('a wrong variable is named with what to do, and never with its value', () => {
  const open = (variables: Record<string, string>) =>
    adapter.open({ variables, connections: 1, connectTimeoutMs: 1_000 })
  expect(() => open({ ENVIRONMENT: 'sandbox' })).toThrow('API_KEY (give the API key of Increase, from a secret)')
  expect(() => open({ API_KEY: 'of two words', ENVIRONMENT: 'sandbox' })).toThrow(/^API_KEY \((?!.*two words)/)
  expect(() => open({ API_KEY: apiKey, ENVIRONMENT: 'test' })).toThrow('ENVIRONMENT (write production or sandbox)')
})
