/** Movements over HTTP with the real adapter: each test user's past, and the effects of calls in this process. */

import { randomUUID } from 'node:crypto'
import { amara, daniel, ines, tomasz } from '@financial-agents/provider-http/testing/test-users'
import type { ActivityQuery } from '@financial-agents/provider-port/activity-reads'
import { make, makeTarget, submission } from '@financial-agents/provider-port/testing/submissions'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type StartedProvider, startProvider } from './started.test-helper.ts'

let fake: StartedProvider
beforeAll(async () => {
  fake = await startProvider()
})
afterEach(async () => {
  await fake.control('PUT', '/control/clock', { offset_ms: 0 })
  await fake.control('DELETE', '/control/faults')
})
afterAll(() => fake.close())

const dayMs = 86_400_000
type Query = Partial<ActivityQuery> & { credentials: string }

async function all(query: Query, provider = fake.provider) {
  const items = []
  let cursor: string | undefined
  do {
    const page = await provider.activity({ timeoutMs: 60_000, limit: 100, ...query, cursor })
    if (page.type !== 'ok') throw new Error(page.type)
    items.push(...page.data.items)
    cursor = page.data.next_cursor ?? undefined
  } while (cursor !== undefined)
  return items
}

it('every test user has a past, Inês several pages of it, from every source and in every state', async () => {
  const hers = await all({ credentials: ines })
  expect(hers.length).toBeGreaterThan(120)
  expect(new Set(hers.map(({ source }) => source))).toEqual(new Set(['account', 'card', 'spending']))
  expect(new Set(hers.map(({ status }) => status))).toEqual(new Set(['pending', 'posted', 'reversed']))
  expect(new Set(hers.map(({ direction }) => direction))).toEqual(new Set(['in', 'out']))
  for (const credentials of [amara, daniel, tomasz]) expect((await all({ credentials })).length).toBeGreaterThan(20)
})

it('some texts hold what has to be taken out of them', async () => {
  const texts = (await all({ credentials: ines })).map(({ description }) => description)
  const careless = [/PT50 0002/, /DE8937/, /4111 1111/, /@example\.com/, /\+351 912/, /\p{Cc}/u, /.{141}/]
  for (const pattern of careless) expect(texts.some((text) => pattern.test(text))).toBe(true)
})

it('purchases by card say what the shop sells, everything else does not', async () => {
  for (const { source, merchant_category } of await all({ credentials: ines })) {
    if (source === 'card') expect(merchant_category).toMatch(/^\d{4}$/)
    else expect(merchant_category).toBeNull()
  }
})

it('the past is the same in another process, and goes on with the clock', async () => {
  const other = await startProvider()
  const now = await all({ credentials: tomasz })
  expect(await all({ credentials: tomasz }, other.provider)).toEqual(now)
  await other.close()
  await fake.control('PUT', '/control/clock', { offset_ms: 40 * dayMs })
  const later = await all({ credentials: tomasz })
  expect(later.map(({ reference }) => reference)).toContain(now[0]?.reference)
  expect(later[0]?.reference).not.toBe(now[0]?.reference)
})

it('a transfer is shown in the state that it is in', async () => {
  const target = await makeTarget(fake.provider, 'transfer', amara)
  const memo = `memo ${randomUUID()}`
  const transfer = submission('transfer', {
    credentials: amara,
    target,
    payload: { amount: '1.25', currency: 'EUR', memo },
  })
  await fake.control('POST', '/control/faults', { script: 'settle_later', match: { kind: 'transfer' }, times: 1 })
  expect((await fake.provider.submit(transfer)).type).toBe('submitted')

  const shown = async () => (await all({ credentials: amara })).filter(({ description }) => description === memo)
  const item = {
    source: 'spending',
    direction: 'out',
    amount: { amount: '1.25', currency: 'EUR' },
    counterparty_name: 'Greta Lindqvist',
  }
  expect(await shown()).toMatchObject([{ ...item, status: 'pending' }])
  await fake.control('POST', '/control/settle', { client_reference: transfer.reference, as: 'failed' })
  expect(await shown()).toMatchObject([{ ...item, status: 'reversed' }])
})

it('a card is used as soon as it is made, every day from then on, and not while it is frozen', async () => {
  const card = await make(fake.provider, submission('card_create', { credentials: ines }))
  const used = async () => (await all({ credentials: ines, card_reference: card.upstreamReference })).length
  expect(await used()).toBe(2)
  await fake.control('PUT', '/control/clock', { offset_ms: 2.5 * dayMs })
  expect(await used()).toBe(9)

  const act = (kind: 'card_freeze' | 'card_unfreeze') =>
    make(fake.provider, submission(kind, { credentials: ines, target: card }))
  await act('card_freeze')
  await fake.control('PUT', '/control/clock', { offset_ms: 5.5 * dayMs })
  expect(await used()).toBe(9)
  await act('card_unfreeze')
  await fake.control('PUT', '/control/clock', { offset_ms: 6.5 * dayMs })
  expect(await used()).toBe(10)
})

it('a card that the test user does not have was never used', async () => {
  const card = await make(fake.provider, submission('card_create', { credentials: ines }))
  expect(await all({ credentials: amara, card_reference: card.upstreamReference })).toEqual([])
})
