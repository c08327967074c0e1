/**
 * A mandate lasts no longer than the access it was confirmed with, through all services. After that access has ended in
 * any way, a later one pays nothing under the mandate, until the owner permits it on the consent page.
 */

import { randomUUID } from 'node:crypto'
import { type ApplicationClient, createApplicationClient } from '@financial-agents/testkit/application-client'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Page, wordsOf } from '../authorization/page.ts'
import { createOperatorClient } from '../contract/operator-client.ts'
import { fencesConfirmed } from '../fences-confirmed.ts'
import { type Owner, ownerOf } from '../owner.test-helper.ts'
import { type Declared, registerClients } from '../register-clients.ts'
import {
  activeMandate,
  create,
  mandateBody,
  pollUntil,
  providerOf,
  settledResource,
  startTestStack,
  type TestStack,
} from '../stack.test-helper.ts'

const payee = 'Casa Azul'
const patiently = { timeout: 120_000, interval: 50 }
const ceilings = { per_payment: '1500.00', per_day: '3000.00' }

let stack: TestStack
let database: pg.Pool
let ines: Owner
let application: ApplicationClient
/** The same application as the client type of the other helpers. */
let client: ApiClient
let callback: string
let beneficiary: string
let asked: Awaited<ReturnType<ApplicationClient['authorize']>>

beforeAll(async () => {
  stack = await startTestStack({
    enabledCapabilities: ['transfers.execute'],
    environment: { authz: { EXPIRY_PAUSE_MS: '100' }, beneficiaries: { BACKGROUND_JOB_PAUSE_MS: '100' } },
  })
  database = new pg.Pool({ connectionString: stack.postgres.adminUrl })
  ines = ownerOf(stack, 'ines')
  const seeded = seededAs('rentwise')
  callback = seeded.redirect_uris[0] as string
  application = await createApplicationClient(stack.baseUrl, seeded)
  client = asClient(application)
  await allow()
  const made = await create(client, payee)
  beneficiary = made.body['resource_id'] as string
  await settledResource(client, `/v1/beneficiaries/${beneficiary}`, 'active')
})
afterAll(async () => {
  await database?.end()
  await stack.close()
})

function seededAs(clientId: string) {
  const seeded = stack.clients.find(({ client_id }) => client_id === clientId)
  if (!seeded || seeded.profile === 'service') throw new Error(`the stack has no application ${clientId}`)
  return seeded
}

function asClient(from: ApplicationClient): ApiClient {
  const ask = (method: string, path: string, { body, key, headers = {} }: Parameters<ApiClient['request']>[2] = {}) =>
    from.request(method, path, body, { ...headers, ...(key ? { 'Idempotency-Key': key } : {}) })
  return { request: ask } as unknown as ApiClient
}

/** Opens the consent page after a new sign-in. */
async function openConsent(): Promise<Page> {
  asked = await application.authorize(callback, { prompt: 'login consent' })
  return ines.read(asked.url.href)
}

async function allowOn(page: Page, changes: Record<string, string> = {}): Promise<void> {
  await application.redeem(await ines.leave(page, /^allow$/i, { ...ceilings, ...changes }), asked)
}

async function allow(changes: Record<string, string> = {}): Promise<void> {
  await allowOn(await openConsent(), changes)
}

const mandate = (changes: Record<string, unknown> = {}) =>
  activeMandate(
    client,
    ines,
    mandateBody(beneficiary, {
      per_payment_max: '500',
      daily_max: '1000',
      weekly_max: '1000',
      monthly_max: '1000',
      total_cap: '1000',
      ...changes,
    }),
  )
const transfer = (id: string, amount = '10', by = client): Promise<ApiResponse> =>
  by.request('POST', `/v1/mandates/${id}/transfers`, { key: randomUUID(), body: { amount, currency: 'EUR' } })
const paid = async (id: string, amount?: string) => {
  const { status, body } = await transfer(id, amount)
  expect(status, JSON.stringify(body)).toBe(202)
  await pollUntil(client, body['id'], ['succeeded'])
}
const notAuthorized = { status: 403, body: { code: 'mandate_client_not_authorized' } }
const grantId = async (): Promise<string> => {
  const { rows } = await database.query(
    `SELECT grant_id FROM authz.grants WHERE client_id = 'rentwise' AND status = 'active'`,
  )
  expect(rows).toHaveLength(1)
  return rows[0].grant_id
}
const account = () => ines.read(`${stack.baseUrl}/account`)
const fencesOf = async (id: string) =>
  (await database.query(`SELECT 1 FROM submitter.fences WHERE target = 'grant' AND target_id = $1`, [id])).rowCount

test('500 EUR under an old mandate are refused after the access ended and was given again with a ceiling of 1 EUR', async () => {
  const id = await mandate()
  await paid(id, '400')
  const first = await grantId()
  const ended = await endOnAccount(first)
  expect(ended).toContain('Access ended.')
  expect(ended).toContain('Stopped')

  const consent = await openConsent()
  const words = wordsOf(consent)
  expect(words).toContain(payee)
  expect(words).toContain('EUR 600.00 left of EUR 1,000.00')
  expect(consent.root.querySelectorAll('input[type=checkbox][checked]')).toEqual([])
  await allowOn(consent, { per_payment: '1', per_day: '1' })
  expect(await grantId()).not.toBe(first)
  const refused = await transfer(id, '500')
  expect(refused).toMatchObject(notAuthorized)
  expect(refused.body['detail']).toContain('consent')
  expect(await transfer(id, '1')).toMatchObject(notAuthorized)
  expect((await client.request('GET', `/v1/mandates/${id}`)).body).toMatchObject({
    state: 'active',
    remaining: { total: '600.00' },
  })

  await allow({ [`mandate.${id}`]: 'on' })
  // Waits until every gateway knows the higher limits.
  await expect.poll(async () => (await transfer(id, '100')).status).toBe(202)
  expect(await audited()).toEqual([{ client_id: 'rentwise', grant_id: await grantId(), detail: { mandate_ids: [id] } }])
  expect(wordsOf(await account())).toContain('In force')
  expect(wordsOf(await openConsent())).not.toContain(payee)
})

async function audited() {
  const { rows } = await database.query(
    `SELECT client_id, grant_id, detail FROM authz.audit WHERE event = 'mandates_consented' ORDER BY id`,
  )
  return rows
}

/** Ends the access on the account page; returns the page's text afterwards. */
async function endOnAccount(grant: string): Promise<string> {
  const page = await account()
  const form = page.root.querySelector(`form[action$="${grant}/revoke"]`)
  for (const other of page.root.querySelectorAll('form')) if (other !== form) other.remove()
  return wordsOf(await ines.press(page, /^End access/i))
}

const declare = (change: (declared: Declared) => Declared[]): Promise<void> =>
  registerClients(stack, (clients) => clients.flatMap((one) => (one.client_id === 'rentwise' ? change(one) : [one])))

// `ending.test.ts` ends an access in the other ways.
describe('nothing is paid by a later access', () => {
  const ways: readonly [string, (grant: string) => Promise<unknown>][] = [
    ['the owner ended it', endOnAccount],
    [
      'an operator suspended it',
      async (grant) => {
        const operator = await createOperatorClient(stack)
        const body = { reason: 'Its key was found in a public repository.' }
        expect((await operator.request('POST', `/v1/ops/grants/${grant}/suspend`, { body })).status).toBe(200)
      },
    ],
    [
      'its time was over',
      (grant) => database.query(`UPDATE authz.grants SET expires_at = now() WHERE grant_id = $1`, [grant]),
    ],
    [
      'the application was declared as another',
      () => declare((declared) => [{ ...declared, sector_identifier: 'another.example' }]),
    ],
    [
      'the application was removed, and declared again',
      async () => {
        await declare(() => [])
        await declare((declared) => [declared])
        await fencesConfirmed(stack)
      },
    ],
  ]

  test.each(ways)('where %s: the old grant is fenced, and consent lists the mandate', async (_name, end) => {
    await allow()
    const id = await mandate()
    await paid(id)
    const grant = await grantId()
    await end(grant)
    await expect.poll(() => fencesOf(grant), patiently).toBe(1)
    const consent = await openConsent()
    expect(consent.root.querySelector(`input[name="mandate.${id}"]`)).toBeTruthy()
    await allowOn(consent)
    expect(await grantId()).not.toBe(grant)
    expect(await transfer(id)).toMatchObject(notAuthorized)
    expect(await fencesOf(grant)).toBe(1)
  })
})

test('a device that is named pays only once the owner has ticked the mandate as she connects it', async () => {
  await allow()
  const id = await mandate({ authorized_clients: ['rentwise', 'errand-runner'] })
  const device = await createApplicationClient(stack.baseUrl, seededAs('errand-runner'))
  const connect = async (changes: Record<string, string>) => {
    const started = await device.startDevice('spending:withdraw operations:read beneficiaries:read')
    const entry = await ines.read(started.verification_uri)
    const entered = await ines.press(entry, /^continue$/i, { user_code: started.user_code })
    const consent = await ines.press(entered, /^yes, the codes are the same$/i)
    const box = consent.root.querySelector(`input[name="mandate.${id}"]`)
    expect([box !== null, box?.hasAttribute('checked')]).toEqual([true, false])
    await ines.press(consent, /^allow$/i, changes)
    await device.pollDevice({ ...started, interval: 0 })
  }
  await connect({})
  expect(await transfer(id, '10', asClient(device))).toMatchObject(notAuthorized)
  await connect({ [`mandate.${id}`]: 'on' })
  expect((await transfer(id, '10', asClient(device))).status).toBe(202)
})

test('what the owner ends is overtaken where it was accepted and not yet sent: no cent leaves by the ended access', async () => {
  await allow()
  const id = await mandate()
  const grant = await grantId()
  await stack.stopService('submitter')
  const accepted = await transfer(id, '40')
  expect(accepted.status).toBe(202)
  expect(await endOnAccount(grant)).toContain('Access is ending.')
  await allow({ [`mandate.${id}`]: 'on' })
  // The submitter must learn of the fence before it can ask for operations to submit.
  await stack.stopService('operations')
  await stack.start('submitter')
  // A request that the submitter lost when it stopped is repeated only after its lease.
  await expect.poll(() => fencesOf(grant), { ...patiently, timeout: 120_000 }).toBe(1)
  await stack.start('operations')
  await pollUntil(client, accepted.body['id'], ['cancelled'])
  expect(await providerOf(stack).ledger(accepted.body['id'])).toEqual([])
  await paid(id)
})

test('the provider never saw a reference twice', async () => {
  expect((await providerOf(stack).summary()).repeated).toEqual([])
})
