/**
 * Two providers connected at once, through all services: each owner is served by the provider of her binding, in writes and
 * in the reads that validate and settle them. The outage of one provider leaves the other owner alone.
 */

import { randomUUID } from 'node:crypto'
import type { ApiClient } from '@financial-agents/testkit/client'
import { type FakeProvider, startFakeProvider } from '@financial-agents/testkit/fake-provider'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activeCard, clientOf, create, pollUntil, startTestStack, type TestStack } from '../stack.test-helper.ts'

const scopes = 'beneficiaries:read beneficiaries:write operations:read services:read cards:read cards:manage'

let stack: TestStack
let database: pg.Client
let first: FakeProvider
let second: FakeProvider
/** A client of an owner of each provider. */
let ines: ApiClient
let amara: ApiClient

beforeAll(async () => {
  ;[first, second] = await Promise.all([startFakeProvider(), startFakeProvider()])
  stack = await startTestStack({
    environment: {
      all: {
        PROVIDER_ADAPTERS: 'fake=http,second-bank=http',
        PROVIDER_FAKE__URL: first.url,
        PROVIDER_SECOND_BANK__URL: second.url,
      },
    },
  })
  database = new pg.Client({ connectionString: stack.postgres.adminUrl })
  await database.connect()
  ines = await clientOf(stack, 'ines-agent', scopes)
  amara = await clientOf(stack, 'amara-agent', scopes)
  // The seeds bind every owner to the first provider. No service has asked for credentials yet.
  const moved = await database.query(
    `UPDATE onboarding.bindings SET provider = 'second-bank' WHERE owner_id = '01980000-0000-7000-8000-000000000002'`,
  )
  expect(moved.rowCount).toBe(1)
})
afterAll(async () => {
  await database?.end()
  await stack.close()
  await Promise.all([first.stop(), second.stop()])
})

type Entry = { client_reference: string; kind: string; outcome: string }
const ledgerOf = async (provider: FakeProvider) =>
  ((await provider.ask('GET', '/control/ledger')) as { entries: Entry[] }).entries
const arrivalsOf = async (provider: FakeProvider, reference: string) =>
  (await ledgerOf(provider)).filter(({ client_reference }) => client_reference === reference).length

test('each owner’s writes reach the provider of her binding alone', async () => {
  const [hers, theirs] = await Promise.all([create(ines, 'Rui Prado'), create(amara, 'Greta Lindqvist')])
  await pollUntil(ines, hers.body['id'], ['succeeded'])
  await pollUntil(amara, theirs.body['id'], ['succeeded'])
  expect(await arrivalsOf(first, hers.body['id'])).toBe(1)
  expect(await arrivalsOf(second, theirs.body['id'])).toBe(1)
  expect(await arrivalsOf(second, hers.body['id'])).toBe(0)
  expect(await arrivalsOf(first, theirs.body['id'])).toBe(0)
})

test('a lost answer is settled by a read of the provider that got the request', async () => {
  const fault = { script: 'accept_drop_reply', match: { kind: 'card_create' }, times: 1 }
  await Promise.all([first, second].map((provider) => provider.ask('POST', '/control/faults', fault)))
  await Promise.all([activeCard(ines), activeCard(amara)])
  for (const provider of [first, second]) {
    const cards = (await ledgerOf(provider)).filter(({ kind }) => kind === 'card_create')
    expect(cards).toMatchObject([{ outcome: 'executed_reply_dropped' }])
  }
})

test('while one provider is out, the other owner’s writes go on', async () => {
  await second.stop()
  const accepted = await ines.request('POST', '/v1/cards', {
    key: randomUUID(),
    body: { type: 'virtual', currency: 'EUR' },
  })
  await pollUntil(ines, accepted.body['id'], ['succeeded'])
  expect((await ines.request('GET', '/v1/beneficiaries/payout-schemas')).status).toBe(200)
  const lost = await amara.request('POST', '/v1/cards', {
    key: randomUUID(),
    body: { type: 'virtual', currency: 'GBP' },
  })
  const failed = await pollUntil(amara, lost.body['id'], ['failed'])
  expect(failed.body['failure_code']).toBe('provider_unreachable')
  expect(await arrivalsOf(first, lost.body['id'])).toBe(0)
})
