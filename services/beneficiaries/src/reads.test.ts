import type { PayoutSchema } from '@financial-agents/contract/schemas/beneficiary'
import type { Operation } from '@financial-agents/contract/schemas/operation'
import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/test-service'
import { settleUnheard } from '@financial-agents/writes/testing/stub-operations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goodBody, startStack } from './started.test-helper.ts'

const stack = await startStack()
afterAll(() => stack.stop())

const principal = newPrincipal()
const ids: string[] = []
beforeAll(async () => {
  for (const name of ['one', 'two', 'three', 'four', 'five'])
    ids.unshift(dataOf(await stack.create(principal, goodBody({ name }))).resource_id)
})

const cursorProblem = async (owner: typeof principal, query: Record<string, string>) =>
  problemOf(await stack.send('listBeneficiaries', owner, { query }))

const listSchemas = async (query: Record<string, string>) =>
  dataOf(await stack.send('listPayoutSchemas', principal, { query })) as {
    items: PayoutSchema[]
    next_cursor: string | null
  }
const readSchema = (payout_schema_id: string) =>
  stack.send('getPayoutSchema', principal, { params: { payout_schema_id } })

test('pages follow each other newest first and show each beneficiary once', async () => {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof stack.list>> = await stack.list(principal, {
      limit: '2',
      ...(cursor ? { cursor } : {}),
    })
    seen.push(...page.items.map((item) => item.id))
    cursor = page.next_cursor
  } while (cursor)
  expect(seen).toEqual(ids)
})

test.each([
  ['succeeded', 'active'],
  ['failed', 'failed'],
] as const)(
  'who has read %s reads the beneficiary as %s, alone and in the list, before any event',
  async (outcome, state) => {
    const owner = newPrincipal()
    const operations = [await stack.create(owner, goodBody()), await stack.create(owner, goodBody())].map(dataOf)
    const [one, other] = operations as [Operation, Operation]
    for (const { id } of operations) settleUnheard(stack.operations, id, outcome)
    expect(dataOf(await stack.get(owner, one.resource_id)).state).toBe(state)
    expect((await stack.list(owner)).items.map((item) => [item.id, item.state])).toEqual([
      [other.resource_id, state],
      [one.resource_id, state],
    ])
  },
)

test('a page that ends with the last beneficiary has no next cursor', async () => {
  expect((await stack.list(principal, { limit: '5' })).next_cursor).toBeNull()
  expect((await stack.list(principal)).next_cursor).toBeNull()
})

test('a cursor that was changed, or of another owner, list or query, is refused with the path cursor', async () => {
  const cursor = (await stack.list(principal, { limit: '2' })).next_cursor ?? ''
  const schemas = dataOf(await stack.send('listPayoutSchemas', principal, { query: { limit: '2' } })) as {
    next_cursor: string
  }
  const changed = `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`
  const refused = [
    await cursorProblem(principal, { limit: '2', cursor: changed }),
    await cursorProblem(principal, { limit: '2', cursor: `${cursor}A` }),
    await cursorProblem(principal, { limit: '2', cursor: '.' }),
    await cursorProblem(principal, { limit: '3', cursor }),
    await cursorProblem(newPrincipal(), { limit: '2', cursor }),
    await cursorProblem(principal, { limit: '2', cursor: schemas.next_cursor }),
  ]
  for (const problem of refused) {
    expect(problem.code).toBe('validation_failed')
    expect(problem.fields?.map((field) => field.path)).toEqual(['cursor'])
  }
})

test('beneficiaries are the owner’s: another client of the owner sees them, another owner does not', async () => {
  const otherClient = { ...principal, client_id: 'client-two' }
  expect((await stack.list(otherClient)).items.map((item) => item.id)).toEqual(ids)
  expect(dataOf(await stack.get(otherClient, ids[0] ?? '')).id).toBe(ids[0])
  expect((await stack.list(newPrincipal())).items).toEqual([])
})

test('a foreign, an unknown and a malformed id answer alike', async () => {
  const answers = [
    await stack.get(newPrincipal(), ids[0] ?? ''),
    await stack.get(principal, '01990000-0000-7000-8000-000000000000'),
    await stack.get(principal, "no-uuid'; --"),
    await stack.get(principal, '\u0000'),
  ].map(problemOf)
  for (const problem of answers) expect(problem).toEqual(answers[0])
  expect(answers[0]?.code).toBe('beneficiary_not_found')
})

test('payout schemas are listed by id, filtered by country and currency, and paged', async () => {
  const all = (await listSchemas({})).items.map((schema) => schema.id)
  expect(all).toEqual(all.toSorted())
  expect(all).toContain('sepa_pt_eur')
  expect((await listSchemas({ country: 'US' })).items.map((schema) => schema.id)).toEqual([
    'ach_us_usd',
    'swift_us_usd',
  ])
  expect((await listSchemas({ country: 'US', currency: 'EUR' })).items).toEqual([])
  const first = await listSchemas({ limit: '4' })
  const second = await listSchemas({ limit: '4', cursor: first.next_cursor ?? '' })
  expect([...first.items, ...second.items].map((schema) => schema.id)).toEqual(all.slice(0, 8))
})

test('the example of every payout schema is accepted as it stands', async () => {
  const { items } = await listSchemas({})
  const owner = newPrincipal()
  for (const { id, country, currency, example_details } of items) {
    const body = goodBody({ payout_schema_id: id, country, currency, details: example_details })
    expect(dataOf(await stack.create(owner, body)).kind).toBe('beneficiary_create')
  }
})

test('one payout schema is read by its id, and an unknown one is not found', async () => {
  expect(dataOf(await readSchema('fps_gb_gbp'))).toMatchObject({ id: 'fps_gb_gbp', currency: 'GBP' })
  for (const id of ['none', '__proto__', '\u0000'])
    expect(problemOf(await readSchema(id)).code).toBe('payout_schema_not_found')
})

test('address countries are those of the provider', async () => {
  const { countries } = dataOf(await stack.send('listAddressCountries', principal)) as { countries: { code: string }[] }
  expect(countries).toContainEqual({ code: 'PT', alpha3: 'PRT', name: 'Portugal' })
})

test('what was read is kept for a minute, and after that an unreachable provider answers 503', async () => {
  await stack.provider.stop()
  expect(dataOf(await stack.send('listAddressCountries', principal))).toBeDefined()
  stack.clock.setOffsetMs(61_000)
  for (const name of ['listAddressCountries', 'listPayoutSchemas'] as const)
    expect(problemOf(await stack.send(name, principal)).code).toBe('provider_unavailable')
  expect(problemOf(await stack.create(principal, goodBody())).code).toBe('provider_unavailable')
})
