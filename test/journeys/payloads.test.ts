/**
 * Values that clients send for the provider alone (account details, memos, references) are sealed while stored and
 * deleted once the outcome is known. The test makes writes of every kind and outcome, then reads every table, stream
 * and log.
 */

import { randomUUID } from 'node:crypto'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import { oracleKinds } from '@financial-agents/testkit/kinds-oracle'
import { serviceNames } from '@financial-agents/testkit/stack-services'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Owner, ownerOf } from '../owner.test-helper.ts'
import {
  activeCard,
  activeMandate,
  approve,
  clientOf,
  confirmed,
  confirmedWrite,
  mandateBody,
  pollUntil,
  providerOf,
  settledResource,
  startTestStack,
  type TestStack,
  usualDeadline,
} from '../stack.test-helper.ts'
import { prepare, type World } from './kinds.test-helper.ts'
import { findPlaces, formsOf, readEverything, readLogs } from './secrets.test-helper.ts'

const scopes =
  'beneficiaries:read beneficiaries:write operations:read cards:read cards:manage spending:withdraw authorization:read services:read'
const withdrawals = '/v1/spending-account/withdrawals'
const patiently = { timeout: 120_000, interval: 50 }

let stack: TestStack
let database: pg.Pool
let provider: ReturnType<typeof providerOf>
let client: ApiClient
let ines: Owner
let world: World

/** The values that must be found nowhere. */
const secrets: string[] = []
/** Hosted pages, tokens and keys. They must be in no log. */
const unlogged: string[] = []
/** Sealed payloads seen in `payload_sealed` before their outcome. */
const sealed: Buffer[] = []

beforeAll(async () => {
  stack = await startTestStack({
    processes: ['submitter'],
    enabledCapabilities: ['transfers.execute', 'cards.reveal'],
    environment: {
      gateway: usualDeadline,
      operations: { BACKGROUND_JOB_PAUSE_MS: '200', BACKGROUND_JOB_AFTER_MS: '500' },
      submitter: { PROVIDER_TIMEOUT_MS: '60000', LEASE_MS: '120000' },
      beneficiaries: { BACKGROUND_JOB_PAUSE_MS: '200', DRAFT_DECIDE_AFTER_MS: '1000' },
      spending: { BACKGROUND_JOB_PAUSE_MS: '200', DRAFT_DECIDE_AFTER_MS: '1000' },
    },
  })
  provider = providerOf(stack)
  database = new pg.Pool({ connectionString: stack.postgres.adminUrl })
  client = await clientOf(stack, 'ines-agent', scopes)
  ines = ownerOf(stack, 'ines')
  const created = await write('/v1/beneficiaries', payee())
  await settledResource(client, `/v1/beneficiaries/${created.body['resource_id']}`, 'active')
  const beneficiary_id = created.body['resource_id'] as string
  const about = { payee: payee(), currency: 'EUR', memo: memo(), person: 'daniel' } as const
  world = { ...about, stack, database, client, owner: ines, beneficiary_id }
})
afterEach(() => provider.clearFaults())
afterAll(async () => {
  await database?.end()
  await stack.close()
})

function secret(text: string): string {
  secrets.push(text)
  return text
}

const digits = (length: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => byte % 10).join('')

/** A random IBAN with good check digits (ISO 7064, MOD 97-10). Its last four digits are no secret. */
function newIban(): string {
  const account = digits(21)
  // PT is 25 29 as digits.
  const check = String(98n - (BigInt(`${account}252900`) % 97n)).padStart(2, '0')
  return `PT${secret(check + account.slice(0, -4))}${account.slice(-4)}`
}

/** A body of a beneficiary. Reads show at most the last four characters of each detail. */
function payee(name = 'Rui Prado'): Record<string, unknown> {
  return {
    name,
    country: 'PT',
    currency: 'EUR',
    payout_schema_id: 'sepa_pt_eur',
    details: { iban: newIban(), bic: `${secret('QZXWPTJV')}XXX` },
  }
}

/** A memo with characters that JSON and other encodings escape. */
function memo(): string {
  return `„Miete“ "\\ ${secret(randomUUID().replaceAll('-', ''))} ü`
}

function withdrawal(amount: string): Record<string, unknown> {
  return { beneficiary_id: world.beneficiary_id, amount, currency: 'EUR', memo: memo() }
}

function newKey(): string {
  const key = randomUUID()
  unlogged.push(key)
  return key
}

async function write(path: string, body?: Record<string, unknown>): Promise<ApiResponse> {
  const response = await client.request('POST', path, { key: newKey(), ...(body ? { body } : {}) })
  expect(response.status, JSON.stringify(response.body)).toBe(202)
  return response
}

const settledAs = (accepted: ApiResponse, state: string) => pollUntil(client, accepted.body['id'], [state])

async function payloadOf({
  body: { id },
}: Pick<ApiResponse, 'body'>): Promise<{ state: string; payload_sealed: Buffer | null }> {
  const { rows } = await database.query('SELECT state, payload_sealed FROM operations.operations WHERE id = $1', [id])
  return rows[0]
}

async function awaitingApproval(amount: string): Promise<{ accepted: ApiResponse; url: string }> {
  const accepted = await write(withdrawals, withdrawal(amount))
  const { body } = await pollUntil(
    client,
    accepted.body['id'],
    [],
    120_000,
    (operation) => operation['action_required'],
  )
  const { url } = body['action_required']
  unlogged.push(tokenOf(url))
  return { accepted, url }
}

const tokenOf = (url: string) => new URL(url).pathname.split('/').at(-1) as string

/**
 * A transfer overtaken by its mandate's suspension. The submitter learns of the fence before it can ask for operations
 * to submit.
 */
async function fencedTransfer(): Promise<ApiResponse> {
  const mandate = await activeMandate(client, ines, mandateBody(world.beneficiary_id))
  await stack.stopService('submitter')
  const accepted = await write(`/v1/mandates/${mandate}/transfers`, { amount: '1', currency: 'EUR', reference: memo() })
  await write(`/v1/mandates/${mandate}/suspend`)
  await stack.stopService('operations')
  await stack.start('submitter')
  const confirmedFence = `SELECT confirmed FROM beneficiaries.mandate_fences WHERE mandate_id = $1`
  await expect
    .poll(async () => (await database.query(confirmedFence, [mandate])).rows, patiently)
    .toEqual([{ confirmed: true }])
  await stack.start('operations')
  return accepted
}

/** The area is killed before its request reaches operations, and voids the draft later. */
async function neverAccepted(service: 'beneficiaries' | 'spending', path: string, body: Record<string, unknown>) {
  await stack.stopService(service)
  await stack.start(service, { FAILPOINT: 'accept.before_send' })
  const answer = await client.request('POST', path, { key: newKey(), body })
  expect(answer.status).toBe(503)
  await stack.start(service)
  await expect
    .poll(async () => (await database.query(`SELECT FROM ${service}.writes WHERE state = 'draft'`)).rowCount, patiently)
    .toBe(0)
}

describe('while it is on its way', () => {
  test('the payload is in the row of its operation alone, sealed; the page of an approval likewise, readable', async () => {
    const waiting = await awaitingApproval('600')
    await client.request('POST', '/v1/confirmation-intents', {
      body: { action: 'transfer', request: { path: withdrawals, body: withdrawal('5') } },
    })
    const mandate = await activeMandate(client, ines, mandateBody(world.beneficiary_id))
    await provider.faultOf({ kind: 'beneficiary_create' }, 'hold', { times: 1 })
    const held = await write('/v1/beneficiaries', payee())
    await settledAs(held, 'submitting')
    const [submitter] = stack.processes.get('submitter') ?? []
    submitter?.child.signal('SIGSTOP')
    const accepted = await write(`/v1/mandates/${mandate}/transfers`, {
      amount: '1',
      currency: 'EUR',
      reference: memo(),
    })

    const rows = await Promise.all([waiting.accepted, held, accepted].map(payloadOf))
    expect(rows.map(({ state }) => state)).toEqual(['requires_action', 'submitting', 'accepted'])
    for (const { payload_sealed } of rows) sealed.push(payload_sealed as Buffer)
    const places = await readEverything(stack, database)
    expect(findPlaces(places, secrets)).toEqual([])
    for (const each of sealed) expect(findPlaces(places, [each])).toEqual(['table operations.operations'])
    expect(findPlaces(places, [tokenOf(waiting.url)])).toEqual(['table operations.operations'])

    submitter?.child.signal('SIGCONT')
    // The submitter may have been stopped before its request to the provider left.
    await expect.poll(() => provider.release(held.body['id']), patiently).toEqual({ released: 1 })
    await settledAs(held, 'succeeded')
    await settledAs(accepted, 'succeeded')
    await ines.decideAtProvider(waiting.url, 'approve')
    await settledAs(waiting.accepted, 'succeeded')
  })
})

describe('whatever becomes of it', () => {
  test('of every kind, executed', async () => {
    for (const kind of oracleKinds) {
      const id = await (await prepare(world, kind))()
      // The operation of a disconnect belongs to no client, and needs no approval.
      if (kind !== 'transfer_grant_revoke') await approve(client, ines, id)
      await expect
        .poll(() => payloadOf({ body: { id } }), patiently)
        .toEqual({
          state: 'succeeded',
          payload_sealed: null,
        })
    }
  })

  test('declined, refused, fenced, lost and never settled', async () => {
    const declined = await awaitingApproval('700')
    await ines.decideAtProvider(declined.url, 'decline')
    await client.request('POST', `/v1/operations/${declined.accepted.body['id']}/approval/poll`)
    await settledAs(declined.accepted, 'cancelled')

    for (const [script, state] of [
      ['refuse', 'failed'],
      ['fail', 'failed'],
      ['never_settle', 'submitted'],
      ['drop_before_accept', 'indeterminate'],
      ['accept_drop_reply', 'succeeded'],
    ] as const) {
      for (const kind of ['beneficiary_create', 'transfer']) await provider.faultOf({ kind }, script, { times: 1 })
      await settledAs(await write('/v1/beneficiaries', payee()), state)
      await settledAs(await write(withdrawals, withdrawal('5')), state)
    }
    await settledAs(await fencedTransfer(), 'cancelled')
  })

  test('never accepted, though it was drafted; or refused, by its limits and by its confirmation', async () => {
    await neverAccepted('beneficiaries', '/v1/beneficiaries', payee())
    await neverAccepted('spending', withdrawals, withdrawal('5'))
    const refusals = [
      await client.request('POST', withdrawals, { key: newKey(), body: withdrawal('100001') }),
      await client.request('POST', withdrawals, {
        key: newKey(),
        body: withdrawal('5'),
        headers: { 'Confirmation-Intent-ID': randomUUID() },
      }),
      await client.request('POST', '/v1/beneficiaries', { key: newKey(), body: { ...payee(), currency: 'GBP' } }),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([422, 403, 422])
  })

  test('confirmed by the owner and used, or declined', async () => {
    const used = await confirmedWrite(client, ines, 'transfer', { path: withdrawals, body: withdrawal('5') })
    expect(used.status).toBe(202)
    await settledAs(used, 'succeeded')
    const body = withdrawal('6')
    const declining = { confirm: (url: string) => ines.decline(url) }
    await confirmed(client, declining, 'transfer', { path: withdrawals, body })
  })

  test('a page with the number of a card', async () => {
    const reveal = await client.request('POST', `/v1/cards/${await activeCard(client)}/reveals`)
    expect(reveal.status).toBe(201)
    unlogged.push(tokenOf(reveal.body['action_required'].url))
  })
})

describe('afterwards', () => {
  test('no operation without an attempt or an approval ahead holds a payload', async () => {
    const { rows } = await database.query(
      `SELECT state, count(*)::int, count(payload_sealed)::int AS payloads FROM operations.operations GROUP BY state`,
    )
    const states = rows.map(({ state }) => state as string).toSorted()
    expect(states).toEqual(['cancelled', 'failed', 'indeterminate', 'submitted', 'succeeded'])
    for (const { state, payloads } of rows) expect([state, payloads]).toEqual([state, 0])
  })

  test('no table, no stream and no log has a word of it, in whichever form', async () => {
    const places = await readEverything(stack, database)
    expect(secrets.length).toBeGreaterThan(30)
    for (const each of [...secrets, ...sealed]) expect([each, findPlaces(places, [each])]).toEqual([each, []])
  })

  test('the credentials of a connection are nowhere in plain', async () => {
    const credentials = [
      'test-user-ines-carvalho-lisboa',
      'test-user-amara-okafor-leeds',
      'test-user-daniel-reyes-tucson',
    ]
    expect(findPlaces(await readEverything(stack, database), credentials)).toEqual([])
  })

  test('no log has a token, a key or the address of a page; nor has anything kept the address once it is over', async () => {
    expect(unlogged.length).toBeGreaterThan(20)
    expect(findPlaces(readLogs(stack), [...unlogged, client.token()])).toEqual([])
    const { rows } = await database.query(
      'SELECT action_required FROM operations.operations WHERE action_required IS NOT NULL',
    )
    expect(rows).toEqual([])
  })

  test('what is read is really all there is: whatever may be there is found', async () => {
    const places = await readEverything(stack, database)
    const name = 'Rui Prado'
    expect(findPlaces(places, [name])).toContain('table beneficiaries.beneficiaries')
    const { body } = await client.request('GET', '/v1/operations?limit=1&state=succeeded&kind=transfer')
    const found = findPlaces(places, [body['items'][0].id])
    for (const place of ['table submitter.submissions', 'stream OPS_SUBMIT', 'stream OPS_EVENT'])
      expect(found).toContain(place)
    const of = (kind: string) => places.filter((place) => place.name.startsWith(kind))
    expect(of('table').length).toBeGreaterThan(30)
    expect(of('log')).toHaveLength(serviceNames.length)
    for (const { text } of of('log')) expect(text).not.toBe('')
    for (const before of ['', 'x', 'xy']) {
      const packed = Buffer.from(`${before}${name}z`)
      const texts = [packed.toString(), packed.toString('hex'), packed.toString('base64'), packed.toString('base64url')]
      for (const text of texts)
        expect(
          formsOf(name).some((form) => text.includes(form)),
          text,
        ).toBe(true)
    }
  })
})
