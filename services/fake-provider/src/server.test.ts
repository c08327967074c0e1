/** The provider's lists, its ledger and its handling of invalid input, over real HTTP. */

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { acceptsDetails, payoutSchemas } from './payout-schemas.ts'
import { beneficiary, credentials, type StartedProvider, startProvider } from './started.test-helper.ts'
import { testUsers } from './test-users.ts'

let fake: StartedProvider

beforeAll(async () => {
  fake = await startProvider(2)
})

afterAll(() => fake.close())

const call = { credentials, timeoutMs: 60_000 }

it('every payout schema reaches the API whole, and its example is accepted by the provider', async () => {
  const read = await fake.provider.payoutSchemas(call)
  expect(read.type).toBe('ok')
  const schemas = read.type === 'ok' ? read.data : []
  expect(schemas.map(({ id }) => id)).toEqual(payoutSchemas.map(({ id }) => id))
  for (const schema of schemas) {
    const payload = {
      name: 'Example Account',
      country: schema.country,
      currency: schema.currency,
      payout_schema_id: schema.id,
      details: schema.example_details,
    }
    expect(await fake.provider.submit(beneficiary(`example-${schema.id}`, { payload }))).toMatchObject({
      type: 'succeeded',
    })
  }
})

it('no payout schema accepts its example with a member missing, added or emptied', () => {
  for (const schema of payoutSchemas) {
    expect(acceptsDetails(schema, schema.example_details)).toBe(true)
    expect(acceptsDetails(schema, { ...schema.example_details, other: 'x' })).toBe(false)
    for (const name of Object.keys(schema.example_details)) {
      expect(acceptsDetails(schema, { ...schema.example_details, [name]: '' })).toBe(false)
      expect(acceptsDetails(schema, { ...schema.example_details, [name]: undefined })).toBe(
        schema.fields.find(({ key }) => key === name)?.required === false,
      )
    }
  }
})

it('an IBAN is refused if one of its characters is another one, or if two are swapped', () => {
  for (const schema of payoutSchemas) {
    const { iban } = schema.example_details
    if (iban === undefined) continue
    const digits = [...iban.matchAll(/[0-9]/g)].map(({ index }) => index)
    const wrong = digits.map((at) => `${iban.slice(0, at)}${(Number(iban[at]) + 1) % 10}${iban.slice(at + 1)}`)
    for (const at of digits)
      if (/[0-9]/.test(iban[at + 1] ?? '') && iban[at] !== iban[at + 1])
        wrong.push(`${iban.slice(0, at)}${iban[at + 1]}${iban[at]}${iban.slice(at + 2)}`)
    for (const one of wrong) expect([one, acceptsDetails(schema, { iban: one })]).toEqual([one, false])
  }
})

it('countries are ISO codes, each once, without aliases', async () => {
  const read = await fake.provider.addressCountries(call)
  const list = read.type === 'ok' ? read.data : []
  expect(list.length).toBeGreaterThanOrEqual(40)
  expect(new Set(list.map(({ code }) => code)).size).toBe(list.length)
  expect(new Set(list.map(({ alpha3 }) => alpha3)).size).toBe(list.length)
  expect(list).toContainEqual({ code: 'GB', alpha3: 'GBR', name: 'United Kingdom' })
})

it('each test user has credentials of its own, and lives in another country', () => {
  expect(new Set(testUsers.map((testUser) => testUser.credentials)).size).toBe(testUsers.length)
  expect(new Set(testUsers.map((testUser) => testUser.country)).size).toBe(testUsers.length)
})

it('the ledger keeps order, time, test user and a digest, and never the body', async () => {
  await fake.control('DELETE', '/control/ledger')
  await fake.provider.submit(beneficiary('order-1'))
  await fake.provider.submit(beneficiary('order-2', { credentials: testUsers[1]?.credentials ?? '' }))
  const raw = '{"client_reference":"order-3"'
  await fetch(`${fake.baseUrl}/provider/v1/beneficiaries`, { method: 'POST', body: raw })
  const entries = await fake.ledger()
  expect(
    entries.map(({ sequence, client_reference, test_user, outcome }) => [
      sequence,
      client_reference,
      test_user,
      outcome,
    ]),
  ).toEqual([
    [1, 'order-1', 'per_ines', 'executed'],
    [2, 'order-2', 'per_amara', 'executed'],
    [3, null, null, 'unauthorized'],
  ])
  expect(entries[2]?.body_sha256).toBe(createHash('sha256').update(raw).digest('hex'))
  expect(JSON.stringify(entries)).not.toMatch(/Marta|PT50/)
  expect(await fake.summary()).toEqual({ mutations: 3, references: 2, executed: 2, repeated: [] })
})

it('nonsense is answered with a refusal document', async () => {
  const headers = { authorization: `Bearer ${credentials}`, 'content-type': 'application/json' }
  const answers = []
  for (const [method, path, body] of [
    ['POST', '/provider/v1/beneficiaries', '[1'],
    ['POST', '/provider/v1/beneficiaries', ''],
    ['POST', '/provider/v1/beneficiaries', 'x'.repeat(2_000_000)],
    ['GET', '/provider/v1/beneficiaries', undefined],
    ['GET', '/nowhere', undefined],
  ] as const) {
    const response = await fetch(`${fake.baseUrl}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
    answers.push([response.status, await response.json()])
  }
  const invalid = { error: { code: 'invalid_request' } }
  expect(answers).toEqual([
    [400, invalid],
    [400, invalid],
    [413, invalid],
    [400, invalid],
    [404, { error: { code: 'unknown_address' } }],
  ])
  expect(await fake.control('GET', '/health')).toEqual({ status: 200, body: { status: 'ok' } })
})
