/** Disconnecting through all services: by a client with the owner's confirmation, and by the owner at the account page. */

import { randomUUID } from 'node:crypto'
import type { ApiClient } from '@financial-agents/testkit/client'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, createBrowser } from '../authorization/browser.ts'
import { type Person, people } from '../authorization/flow.ts'
import { type Page, pressable, wordsOf } from '../authorization/page.ts'
import { fencesConfirmed } from '../fences-confirmed.ts'
import { type Owner, ownerOf } from '../owner.test-helper.ts'
import { registerClients } from '../register-clients.ts'
import {
  askToConfirm,
  clientOf,
  confirmed,
  create,
  type LedgerEntry,
  pollUntil,
  providerOf,
  startTestStack,
  type TestStack,
} from '../stack.test-helper.ts'

const path = '/v1/service-connections/current'
const scopes = 'beneficiaries:read beneficiaries:write operations:read services:read'
const eventually = { timeout: 120_000, interval: 25 }

let stack: TestStack
let database: pg.Client
let provider: ReturnType<typeof providerOf>

beforeAll(async () => {
  stack = await startTestStack({
    environment: { onboarding: { ERASE_PAUSE_MS: '200', ERASE_AFTER_MS: '1000', PENDING_PULL_AFTER_MS: '1000' } },
  })
  provider = providerOf(stack)
  database = new pg.Client({ connectionString: stack.postgres.adminUrl })
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await stack.close()
})

const revokes = async (): Promise<LedgerEntry[]> =>
  (await provider.ledger()).filter((entry) => entry.kind === 'transfer_grant_revoke')

async function readOperation(id: string | undefined) {
  const { rows } = await database.query(
    'SELECT kind, state, client_id, resource_id, payload_sealed FROM operations.operations WHERE id = $1',
    [id],
  )
  return rows[0]
}

async function readBinding(id: string) {
  const { rows } = await database.query(
    'SELECT status, credentials_sealed IS NOT NULL AS sealed FROM onboarding.bindings WHERE id = $1',
    [id],
  )
  return rows[0]
}

const refused = { status: 409, body: { code: 'provider_connection_unavailable' } }
const readsBeneficiaries = (client: ApiClient) => client.request('GET', '/v1/beneficiaries')
const connection = (client: ApiClient) => client.request('GET', path)

function disconnect(client: ApiClient, intent: string) {
  return client.request('DELETE', path, { headers: { 'Confirmation-Intent-ID': intent } })
}

describe('a client', () => {
  let agent: ApiClient
  let others: ApiClient[]
  let owner: Owner

  beforeAll(async () => {
    agent = await clientOf(stack, 'ines-agent', scopes)
    others = [await clientOf(stack, 'ines-bookkeeper'), await clientOf(stack, 'ines-reader', 'beneficiaries:read')]
    owner = ownerOf(stack, 'ines')
  })

  test('that the owner did not confirm is refused, and the connection stays', async () => {
    const refusals = [
      [await agent.request('DELETE', path), 422, 'validation_failed'],
      [await disconnect(agent, randomUUID()), 403, 'confirmation_required'],
      [await disconnect(agent, await asked(agent)), 403, 'confirmation_pending'],
    ] as const
    for (const [{ status, body }, wanted, code] of refusals)
      expect([status, body['code'], body['refresh_onboarding']]).toEqual([wanted, code, false])
    expect((await connection(agent)).body['status']).toBe('connected')
    expect(await revokes()).toEqual([])
  })

  test('disconnects every client at once; the operation goes its way, and the credentials go after it', async () => {
    const written = await create(agent, 'before the disconnect')
    await pollUntil(agent, written.body['id'], ['succeeded'])
    const { body: shown } = await connection(agent)
    expect(shown).toMatchObject({ status: 'connected', provider_name: expect.any(String) })
    const intent = await confirmed(agent, owner, 'service_disconnect', { path })

    const answers = await Promise.all(Array.from({ length: 10 }, () => disconnect(agent, intent)))
    for (const { status, body } of answers) expect([status, body]).toEqual([204, {}])
    // authz answers only after the bus has the change for the gateways, and the bus delivers in order.
    for (const client of [agent, ...others]) expect(await readsBeneficiaries(client)).toMatchObject(refused)
    expect(await create(agent, 'after the disconnect')).toMatchObject({
      ...refused,
      body: { refresh_onboarding: true },
    })
    expect((await disconnect(agent, intent)).status).toBe(204)

    await expect.poll(revokes, eventually).toMatchObject([{ outcome: 'executed' }])
    const [entry] = await revokes()
    await expect
      .poll(() => readOperation(entry?.client_reference), eventually)
      .toEqual({
        kind: 'transfer_grant_revoke',
        state: 'succeeded',
        client_id: 'ines-agent',
        resource_id: shown['id'],
        payload_sealed: null,
      })
    await expect.poll(() => readBinding(shown['id']), eventually).toEqual({ status: 'disconnected', sealed: false })
    const gone = await connection(agent)
    expect([gone.status, gone.body['code']]).toEqual([404, 'service_connection_not_found'])
    expect(await askToConfirm(agent, 'service_disconnect', { path })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', fields: [{ path: 'request.path' }] },
    })
    expect((await disconnect(agent, intent)).status).toBe(204)
    expect(await revokes()).toHaveLength(1)
  })

  test('stays without a connection however often the owner looks, and when the operator applies the same file again', async () => {
    for (let time = 0; time < 2; time += 1)
      expect(wordsOf(await openAccount(createOwnerBrowser(), 'ines'))).toContain('You are not connected to a provider.')
    await stack.runCommand('onboarding', 'apply-bindings', [stack.declarations.bindingsFile])
    expect(wordsOf(await openAccount(createOwnerBrowser(), 'ines'))).toContain('You are not connected to a provider.')
    expect(await readsBeneficiaries(agent)).toMatchObject(refused)
  })

  test('stays so when the owner connects: a service account works again once an operator declares it anew', async () => {
    const browser = createOwnerBrowser()
    const account = await openAccount(browser, 'ines')
    const asking = (await browser.press(account, /^connect…$/i)).page as Page
    expect(wordsOf(asking)).toContain('It stays stopped until the operator sets it up anew')
    const reported = (await browser.press(asking, /^connect$/i)).page as Page
    expect(wordsOf(reported)).toContain('Connected')
    expect(wordsOf(reported)).toContain('Only the operator can set it up anew.')
    const stopped = await readsBeneficiaries(agent)
    expect(stopped).toMatchObject(refused)
    expect(stopped.body['detail']).toContain('An operator has to declare the account anew')
    await stack.runCommand('authz', 'apply-clients', [stack.declarations.clientsFile])
    expect(await readsBeneficiaries(agent)).toMatchObject(refused)

    await registerClients(stack, (clients) => clients.filter(({ client_id }) => client_id !== 'ines-agent'))
    await registerClients(stack, (clients) => clients)
    await expect.poll(async () => (await readsBeneficiaries(agent)).status, eventually).toBe(200)
    await fencesConfirmed(stack)
    const written = await create(agent, 'after it was declared anew')
    await pollUntil(agent, written.body['id'], ['succeeded'])
    expect(await readsBeneficiaries(others[0] as ApiClient)).toMatchObject(refused)
  })

  test('cannot end the next connection with a confirmation from before the owner disconnected; a new one ends it', async () => {
    const { body: before } = await connection(agent)
    const early = await confirmed(agent, owner, 'service_disconnect', { path })
    const leaving = createOwnerBrowser()
    const warned = await leaving.press(await openAccount(leaving, 'ines'), /^disconnect…$/i)
    await leaving.press(warned.page as Page, /^disconnect$/i)
    await expect.poll(() => readBinding(before['id']), eventually).toMatchObject({ status: 'disconnected' })
    const returning = createOwnerBrowser()
    const asking = await returning.press(await openAccount(returning, 'ines'), /^connect…$/i)
    expect(wordsOf((await returning.press(asking.page as Page, /^connect$/i)).page as Page)).toContain('Connected')
    const { body: after } = await connection(agent)
    expect(after['id']).not.toBe(before['id'])

    const ended = await revokes()
    expect(await disconnect(agent, early)).toMatchObject({ status: 403, body: { code: 'confirmation_mismatch' } })
    expect((await connection(agent)).body).toEqual(after)
    expect(await revokes()).toEqual(ended)
    const fresh = await confirmed(agent, owner, 'service_disconnect', { path })
    expect((await disconnect(agent, fresh)).status).toBe(204)
    await expect.poll(() => readBinding(after['id']), eventually).toMatchObject({ status: 'disconnected' })
  })

  async function asked(client: ApiClient): Promise<string> {
    return (await askToConfirm(client, 'service_disconnect', { path })).body['id']
  }
})

describe('the owner at the account page', () => {
  test('disconnects, sees that the provider’s answer is not known, and is not connected again meanwhile', async () => {
    const client = await clientOf(stack, 'amara-agent', scopes)
    const { body: shown } = await connection(client)
    await control('POST', { script: 'drop_before_accept', match: { kind: 'transfer_grant_revoke' } })
    const before = (await revokes()).length
    const early = await confirmed(client, ownerOf(stack, 'amara'), 'service_disconnect', { path })

    const browser = createOwnerBrowser()
    const account = await openAccount(browser, 'amara')
    const asking = await browser.press(account, /^disconnect…$/i)
    expect(wordsOf(asking.page as Page)).toContain("Amara's agent")
    const reported = await browser.press(asking.page as Page, /^disconnect$/i)
    expect(wordsOf(reported.page as Page)).toContain('Disconnected')
    expect(await readsBeneficiaries(client)).toMatchObject(refused)

    await expect
      .poll(async () => wordsOf((await browser.open(`${stack.baseUrl}/account`)).page as Page), eventually)
      .toMatch(/End the permission for transfers at the provider You, on this page .*Not known yet/)
    expect((await connection(client)).body).toMatchObject({ id: shown['id'], status: 'disconnecting' })
    expect(wordsOf(await openAccount(createOwnerBrowser(), 'amara'))).toContain('Being ended')
    expect(await readBinding(shown['id'])).toEqual({ status: 'disconnecting', sealed: true })
    expect(await revokes()).toHaveLength(before + 1)
    const busy = { status: 409, body: { code: 'resource_busy' } }
    expect(await disconnect(client, early)).toMatchObject(busy)
    expect(await askToConfirm(client, 'service_disconnect', { path })).toMatchObject(busy)
  })
})

function createOwnerBrowser(): Browser {
  return createBrowser(undefined, { baseUrl: stack.baseUrl, providerUrl: new URL(stack.providerUrl).origin })
}

async function openAccount(browser: Browser, person: Person): Promise<Page> {
  let here = await browser.open(`${stack.baseUrl}/account`)
  for (let steps = 0; steps < 4 && here.page; steps += 1) {
    const { page } = here
    if (pressable(page, /^approve$/i)) here = await browser.press(page, /^approve$/i, { test_user: people[person] })
    else if (pressable(page, /^sign in at your provider$/i))
      here = await browser.press(page, /^sign in at your provider$/i)
    else return page
  }
  throw new Error('the account page is not there')
}

async function control(method: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${stack.providerUrl}/control/faults`, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`the provider's control answered ${response.status}`)
}
