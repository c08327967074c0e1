import type { Route } from '@financial-agents/contract/route'
import { cardsRoutes } from '@financial-agents/contract/routes/cards'
import { service as shape } from '@financial-agents/contract/schemas/service'
import { type Scope, scopeNames } from '@financial-agents/contract/scopes'
import { providerReads } from '@financial-agents/provider-port/reads'
import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ownServices } from './own-services.ts'
import { openPolicy, type Page, type Stack, startStack } from './started.test-helper.ts'

/** The kinds of cards, in the order of the routes that start them. */
const cardKinds = Object.values<Route>(cardsRoutes).flatMap(({ opens }) => opens ?? [])

let stack: Stack
let enabled: Stack
beforeAll(async () => {
  ;[stack, enabled] = await Promise.all([
    startStack(),
    startStack({ capabilities: ['cards.reveal', 'transfers.execute'] }),
  ])
})
afterAll(() => Promise.all([stack.stop(), enabled.stop()]))
let hours = 0
afterEach(async () => {
  await stack.recover()
  // Expires all cached reads of the previous test.
  stack.clock.setOffsetMs((hours += 1) * 3_600_000)
})
const pass = (ms: number) => stack.clock.setOffsetMs(hours * 3_600_000 + ms)

const get = (service_id: string, on = stack) =>
  on.send('getService', newPrincipal(), { params: { service_id }, scopes: [...scopeNames], policy: openPolicy })

/** The capability `name` of the first service that has it. */
async function capability(name: string, scopes: Scope[] = [...scopeNames], on = stack, policy = openPolicy) {
  const { items } = await on.services(scopes, policy)
  return items.flatMap(({ capabilities }) => capabilities).find((candidate) => candidate.name === name)
}

test('the API’s own services are listed, then what the provider offers, each with an id of ours', async () => {
  const { items, next_cursor } = await stack.services()
  const offered = await stack.adapter.purchasableServices({ timeoutMs: 60_000 })
  const names = offered.type === 'ok' ? offered.data.map(({ name }) => name) : []
  expect(names.length).toBeGreaterThan(0)
  expect(items.slice(0, ownServices.length).map(({ id }) => id)).toEqual(ownServices.map(({ id }) => id))
  expect(
    items
      .slice(ownServices.length)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(names.toSorted())
  for (const item of items) expect(shape.safeParse(item).error).toBeUndefined()
  expect(next_cursor).toBeNull()
  expect(JSON.stringify(items)).not.toContain('srv_')
})

test('pages follow each other and show each service once', async () => {
  const principal = newPrincipal()
  const all = (await stack.services()).items.map(({ id }) => id)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const query: Record<string, string> = { limit: '7', ...(cursor ? { cursor } : {}) }
    const reply = await stack.send('listServices', principal, { query, scopes: [], policy: openPolicy })
    const page = dataOf(reply) as Page<{ id: string }>
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor)
  expect(seen).toEqual(all)
})

test('a service keeps its id from one read of the provider to the next', async () => {
  const before = (await stack.services()).items
  pass(providerReads.purchasableServices.cacheMs)
  expect((await stack.services()).items).toEqual(before)
})

test('one service answers as it is listed, in whichever letters its id is written', async () => {
  const { items } = await stack.services()
  for (const item of [items[0], items.at(-1)]) {
    expect(dataOf(await get(item?.id ?? ''))).toEqual(item)
    expect(dataOf(await get(item?.id.toUpperCase() ?? ''))).toEqual(item)
  }
})

test('an unknown and a malformed id answer alike', async () => {
  const answers = [
    await get('01990000-0000-7000-8000-000000000000'),
    await get("no-uuid'; --"),
    await get('\u0000'),
    await get('srv_topup'),
  ].map(problemOf)
  for (const problem of answers) expect(problem).toEqual(answers[0])
  expect(answers[0]?.code).toBe('service_not_found')
})

test('a capability is granted exactly where the grant has every scope that it takes', async () => {
  expect(await capability('cards.manage')).toEqual({
    name: 'cards.manage',
    available: true,
    reason_code: null,
    required_scopes: ['cards:manage'],
    granted: true,
    operations: cardKinds.map((kind) => ({
      kind,
      available: true,
      reason_code: null,
    })),
  })
  expect(await capability('cards.manage', ['cards:read'])).toMatchObject({ available: true, granted: false })
  expect(await capability('cards.read', ['cards:read'])).toMatchObject({ granted: true })
})

test('a capability that is not enabled is neither available nor granted, for any scopes', async () => {
  const unavailable = { available: false, reason_code: 'not_enabled', granted: false }
  expect(await capability('transfers.execute')).toMatchObject(unavailable)
  expect(await capability('cards.reveal')).toMatchObject(unavailable)
  const granted = { available: true, reason_code: null, granted: true }
  expect(await capability('transfers.execute', [...scopeNames], enabled)).toMatchObject(granted)
  expect(await capability('cards.reveal', [...scopeNames], enabled)).toMatchObject(granted)
})

test('a ceiling of zero takes every payment away, by withdrawal or under a mandate', async () => {
  for (const ceiling of ['per_payment', 'per_day']) {
    const ceilings = { ...openPolicy.ceilings, [ceiling]: { amount: '0.00', currency: 'EUR' } }
    const { items } = await enabled.services([...scopeNames], { ...openPolicy, ceilings })
    const transfers = items.flatMap(({ name, capabilities }) =>
      capabilities.filter((one) => one.name === 'transfers.execute').map(({ granted }) => ({ name, granted })),
    )
    expect(transfers).toEqual([
      { name: 'Spending account and withdrawals', granted: false },
      { name: 'Mandates', granted: false },
    ])
  }
  const some = { ...openPolicy.ceilings, per_payment: { amount: '0.01', currency: 'EUR' } }
  const withdrawals = await capability('transfers.execute', [...scopeNames], enabled, { ...openPolicy, ceilings: some })
  expect(withdrawals).toMatchObject({ granted: true })
})

test('nothing that is bought can be executed: quotes alone are granted', async () => {
  const { items } = await enabled.services()
  expect(items.at(-1)?.capabilities).toEqual([
    {
      name: 'purchases.quote',
      available: true,
      reason_code: null,
      required_scopes: ['purchases:read'],
      granted: true,
      operations: [],
    },
    ...['purchases.exact_execute', 'purchases.query_execute'].map((name) => ({
      name,
      available: false,
      reason_code: 'not_in_this_release',
      required_scopes: ['purchases:execute'],
      granted: false,
      operations: [],
    })),
  ])
})

test('without the provider there is no list and no service of it, but the API’s own still answer', async () => {
  const offered = (await stack.services()).items.at(-1)?.id ?? ''
  pass(providerReads.purchasableServices.cacheMs)
  await stack.fail('purchasableServices')
  const list = await stack.send('listServices', newPrincipal(), { scopes: [], policy: openPolicy })
  expect(problemOf(list).code).toBe('provider_unavailable')
  expect(problemOf(await get(offered)).code).toBe('provider_unavailable')
  expect(dataOf(await get(ownServices[0]?.id ?? ''))).toMatchObject({ name: 'Accounts' })
})

test('what the provider offers is kept for minutes', async () => {
  await stack.services()
  await stack.fail('purchasableServices')
  pass(providerReads.purchasableServices.cacheMs - 10_000)
  expect((await stack.services()).items.length).toBeGreaterThan(ownServices.length)
})

test('a capability shows the operations that the provider does not offer, and ends with the last of them', async () => {
  const supports = (kind: string) => kind === 'card_create' || kind === 'transfer'
  const limited = await startStack({ answers: () => ({ supports }), capabilities: ['transfers.execute'] })
  try {
    const { items } = await limited.services()
    const shown = items.flatMap(({ name, capabilities }) => capabilities.map((each) => ({ ...each, service: name })))
    const of = (service: string, name: string) => shown.find((each) => each.service === service && each.name === name)
    const absent = { available: false, reason_code: 'not_offered_by_provider' }
    expect(of('Cards', 'cards.manage')).toMatchObject({ available: true, granted: true })
    expect(of('Cards', 'cards.manage')?.operations).toEqual(
      cardKinds.map((kind) =>
        kind === 'card_create' ? { kind, available: true, reason_code: null } : { kind, ...absent },
      ),
    )
    expect(of('Mandates', 'mandates.manage')).toMatchObject({ ...absent, granted: false })
    expect(of('Mandates', 'transfers.execute')).toMatchObject({ ...absent, granted: false })
    expect(of('Spending account and withdrawals', 'transfers.execute')).toMatchObject({
      available: true,
      granted: true,
    })
    expect(of('Accounts', 'accounts.read')).toMatchObject({ available: true, operations: [] })
  } finally {
    await limited.stop()
  }
})

test('an operation whose capability is not enabled is not available, whatever the provider offers', async () => {
  const found = (await capability('transfers.execute'))?.operations ?? []
  expect(found).toEqual([{ kind: 'transfer', available: false, reason_code: 'not_enabled' }])
})
