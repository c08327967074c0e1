/**
 * The fake provider and the one in Python, which share no code, connected at once through all services: each serves an owner. Writes of
 * both, reads of both, a lost answer of both, and an approval at the page of each provider.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import { createSealer, sealingKeys } from '@financial-agents/runtime/sealing'
import type { ApiClient } from '@financial-agents/testkit/client'
import { type FakeProvider, startFakeProvider } from '@financial-agents/testkit/fake-provider'
import { hasPython } from '@financial-agents/testkit/python-provider'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProviderFront, pythonPayout, startProviderFront } from '../provider-front.ts'
import {
  activeCard,
  beneficiaryBody,
  clientOf,
  pollUntil,
  settledResource,
  startTestStack,
  type TestStack,
} from '../stack.test-helper.ts'

const scopes =
  'beneficiaries:read beneficiaries:write operations:read services:read cards:read cards:manage spending:withdraw'
const CREDENTIAL_KEYS = `k:${randomBytes(32).toString('base64')}`

// The provider in Python needs python3 3.9 with sqlite3, which not every machine has.
describe.skipIf(!hasPython())('two implementations at once', () => {
  let stack: TestStack
  let database: pg.Client
  let fake: FakeProvider
  let python: ProviderFront
  /** A client of an owner of each provider. */
  let ines: ApiClient
  let amara: ApiClient

  beforeAll(async () => {
    ;[fake, python] = await Promise.all([startFakeProvider(), startProviderFront()])
    stack = await startTestStack({
      enabledCapabilities: ['transfers.execute'],
      environment: {
        all: {
          CREDENTIAL_KEYS,
          PROVIDER_ADAPTERS: 'fake=http,python=http',
          PROVIDER_FAKE__URL: fake.url,
          PROVIDER_PYTHON__URL: python.url,
        },
      },
    })
    database = new pg.Client({ connectionString: stack.postgres.adminUrl })
    await database.connect()
    ines = await clientOf(stack, 'ines-agent', scopes)
    amara = await clientOf(stack, 'amara-agent', scopes)
    await bindAmara()
  })
  afterAll(async () => {
    await database?.end()
    await stack?.close()
    await Promise.all([fake?.stop(), python?.close()])
  })

  /** The seeds bind every owner to the first provider. No service has asked for credentials yet. */
  async function bindAmara(): Promise<void> {
    const of = `owner_id = '01980000-0000-7000-8000-000000000002' AND status = 'connected'`
    const { rows } = await database.query<{ id: string }>(`SELECT id FROM onboarding.bindings WHERE ${of}`)
    const id = rows[0]?.id ?? ''
    const sealed = createSealer(sealingKeys.parse(CREDENTIAL_KEYS)).seal(Buffer.from(await python.connect(true)), id)
    const change = `UPDATE onboarding.bindings SET provider = 'python', credentials_sealed = $1 WHERE id = $2`
    expect((await database.query(change, [sealed, id])).rowCount).toBe(1)
  }

  type Entry = { client_reference: string; kind: string; outcome: string }
  const ledgerOfFake = async () => ((await fake.ask('GET', '/control/ledger')) as { entries: Entry[] }).entries
  const write = (client: ApiClient, path: string, body: object) =>
    client.request('POST', path, { key: randomUUID(), body })
  const payee = { name: 'Greta Lindqvist', currency: 'EUR', ...pythonPayout }

  test('each owner’s write is executed once by the provider of her binding, and never by the other', async () => {
    const [hers, theirs] = await Promise.all([
      write(ines, '/v1/beneficiaries', beneficiaryBody('Rui Prado')),
      write(amara, '/v1/beneficiaries', payee),
    ])
    await pollUntil(ines, hers.body['id'], ['succeeded'])
    await pollUntil(amara, theirs.body['id'], ['succeeded'])
    expect((await ledgerOfFake()).map(({ client_reference }) => client_reference)).toEqual([hers.body['id']])
    expect(await python.ledger()).toMatchObject([{ client_reference: theirs.body['id'], outcome: 'executed' }])
  })

  test('each owner reads what her provider knows', async () => {
    const schemas = async (client: ApiClient) =>
      ((await client.request('GET', '/v1/beneficiaries/payout-schemas')).body['items'] as { id: string }[]).map(
        ({ id }) => id,
      )
    expect(await schemas(amara)).toEqual(['iban_nl_eur'])
    expect(await schemas(ines)).not.toContain('iban_nl_eur')
  })

  test('a lost answer is proven by a search of the provider that got the request', async () => {
    const lost = { script: 'accept_drop_reply', match: { kind: 'card_create' }, times: 1 }
    await fake.ask('POST', '/control/faults', lost)
    await python.faultOf({ kind: 'card_create' }, 'accept_drop_reply', { times: 1 })
    await Promise.all([activeCard(ines), activeCard(amara)])
    expect((await ledgerOfFake()).filter(({ kind }) => kind === 'card_create')).toMatchObject([
      { outcome: 'executed_reply_dropped' },
    ])
    const cards = (await python.ledger()).filter(({ kind }) => kind === 'card_create')
    expect(cards).toMatchObject([{ outcome: 'executed' }])
    expect((await python.summary()).repeated).toEqual([])
  })

  test('a withdrawal waits for its owner at the page of her provider, and is then executed once', async () => {
    const created = await write(amara, '/v1/beneficiaries', payee)
    await settledResource(amara, `/v1/beneficiaries/${created.body['resource_id']}`, 'active')
    const paid = await write(amara, '/v1/spending-account/withdrawals', {
      beneficiary_id: created.body['resource_id'],
      amount: '3.00',
      currency: 'EUR',
    })
    expect(paid.status).toBe(202)
    const waiting = await pollUntil(amara, paid.body['id'], [], 120_000, (body) => body['action_required'])
    const page = waiting.body['action_required'].url as string
    expect(page.startsWith(`${python.url}/pages/`)).toBe(true)
    expect(await python.ledger(paid.body['id'])).toEqual([])
    const decision = new URLSearchParams({ person: 'saskia', decision: 'approve' })
    expect((await fetch(page, { method: 'POST', body: decision, redirect: 'manual' })).status).toBe(303)
    await amara.request('POST', `/v1/operations/${paid.body['id']}/approval/poll`)
    await pollUntil(amara, paid.body['id'], ['succeeded'])
    expect(await python.ledger(paid.body['id'])).toMatchObject([{ kind: 'transfer', outcome: 'executed' }])
  })
})
