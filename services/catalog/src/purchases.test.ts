import { randomUUIDv7 } from 'node:crypto'
import { type Purchase, purchase as shape } from '@financial-agents/contract/schemas/purchase'
import { providerReads } from '@financial-agents/provider-port/reads'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { recordQuote } from './quote-store.ts'
import { type Page, type Stack, startStack } from './started.test-helper.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ replicas: 2 })
})
afterAll(() => stack.stop())
afterEach(async () => {
  await stack.recover()
  stack.clock.setOffsetMs(0)
})

const principal = newPrincipal()
const list = async (of = principal, query: Record<string, string> = { limit: '100' }) =>
  dataOf(await stack.send('listPurchases', of, { query })) as Page<Purchase>
const get = (purchase_id: string, of = principal) => stack.send('getPurchase', of, { params: { purchase_id } })

async function provided() {
  const read = await stack.adapter.purchases({ credentials: 'test-user-ines-carvalho-lisboa', timeoutMs: 60_000 })
  if (read.type !== 'ok') throw new Error(read.type)
  return read.data
}

test('purchases are listed newest first, under ids of ours alone', async () => {
  const { items, next_cursor } = await list()
  expect(items.map(({ released_at }) => released_at)).toEqual((await provided()).map(({ released_at }) => released_at))
  expect(items.length).toBeGreaterThan(3)
  expect(next_cursor).toBeNull()
  for (const item of items) expect(shape.safeParse(item).error).toBeUndefined()
  for (const text of [JSON.stringify(items), stack.logLines.join('')]) expect(text).not.toMatch(/ord_|est_|off_/)
})

test('pages follow each other and show each purchase once; a cursor is of one owner alone', async () => {
  const all = (await list()).items.map(({ id }) => id)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Page<Purchase> = await list(principal, { limit: '4', ...(cursor ? { cursor } : {}) })
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor)
  expect(seen).toEqual(all)
  const first = await list(principal, { limit: '4' })
  const refused = await stack.send('listPurchases', newPrincipal(), {
    query: { limit: '4', cursor: first.next_cursor ?? '' },
  })
  expect(problemOf(refused).fields).toMatchObject([{ path: 'cursor' }])
})

test('ids stay, from one read of the provider to the next and whichever replica is asked first', async () => {
  const newcomer = newPrincipal()
  const pages = await Promise.all(Array.from({ length: 8 }, () => list(newcomer)))
  stack.clock.setOffsetMs(providerReads.purchases.cacheMs)
  for (const page of [...pages, await list(newcomer), await list(newcomer)]) expect(page).toEqual(pages[0])
})

test('purchases are the owner’s: another client sees them, another owner has ids of her own', async () => {
  const { items } = await list()
  const [first] = items
  expect(dataOf(await get(first?.id ?? ''))).toEqual(first)
  expect(dataOf(await get(first?.id.toUpperCase() ?? ''))).toEqual(first)
  expect((await list({ ...principal, client_id: 'client-two' })).items).toEqual(items)
  const others = new Set((await list(newPrincipal())).items.map(({ id }) => id))
  expect(items.some(({ id }) => others.has(id))).toBe(false)
})

test('a foreign, an unknown and a malformed id answer alike', async () => {
  const foreign = (await list(newPrincipal())).items[0]?.id ?? ''
  const answers = [
    await get(foreign),
    await get('01990000-0000-7000-8000-000000000000'),
    await get("no-uuid'; --"),
    await get('\u0000'),
  ].map(problemOf)
  for (const problem of answers) expect(problem).toEqual(answers[0])
  expect(answers[0]?.code).toBe('purchase_not_found')
})

test('a quote that was made here keeps its id; another gets one that stays', async () => {
  const owner = newPrincipal()
  const [newest] = await provided()
  if (!newest) throw new Error('nothing was bought')
  const quote = {
    id: randomUUIDv7(),
    service_id: randomUUIDv7(),
    product_id: 'p',
    quantity: 1,
    total: newest.total,
    reference: newest.quote_reference,
    expires_at: newest.released_at,
  }
  await recordQuote(stack.db, owner, quote, new Date())
  const { items } = await list(owner)
  expect(items[0]?.quote_id).toBe(quote.id)
  expect(new Set(items.map(({ quote_id }) => quote_id)).size).toBe(items.length)
})

test('the service of a purchase is the one that is listed', async () => {
  const services = new Set((await stack.services()).items.map(({ id }) => id))
  for (const { service_id } of (await list()).items) expect(services).toContain(service_id)
})

test('what was read is kept for some seconds, for the binding that it was read with', async () => {
  const solo = await startStack({ clock: createFrozenClock() })
  try {
    const read = (of = principal) => solo.send('listPurchases', of)
    dataOf(await read())
    await solo.fail('purchases')
    dataOf(await read())
    expect(problemOf(await read(newPrincipal())).code).toBe('provider_unavailable')
    solo.clock.setOffsetMs(providerReads.purchases.cacheMs)
    expect(problemOf(await read()).code).toBe('provider_unavailable')
  } finally {
    await solo.stop()
  }
})

test('without a connection it is the connection that is refused', async () => {
  const reply = await stack.send('listPurchases', newPrincipal({ binding_id: 'gone-away' }))
  expect(problemOf(reply).code).toBe('provider_connection_unavailable')
})
