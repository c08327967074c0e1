/** Intents from their creation to their end, on real tables: the client's routes and the calls of the owner's page. */

import { createSecretKey } from 'node:crypto'
import type { HandlerContext } from '@financial-agents/bus/rpc'
import { requestHash } from '@financial-agents/contract/canonical-request'
import { fieldsProblem, Problem } from '@financial-agents/contract/problem'
import { confirmationRoutes } from '@financial-agents/contract/routes/confirmation-intents'
import { createClock } from '@financial-agents/runtime/clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eraseQuotedPayloads, pruneEndedIntents } from '../background-job.ts'
import { createDecideIntent, createFindIntent } from '../calls/intents.ts'
import type { Asking } from '../intents/asking.ts'
import { forClient } from '../intents/facts.ts'
import {
  endedConnection,
  newId,
  newPrincipal,
  openTestOperations,
  query,
  sealer,
  willingAreas,
} from '../operations.test-helper.ts'
import { createConfirmationIntent } from './createConfirmationIntent.ts'
import { getConfirmationIntent } from './getConfirmationIntent.ts'

const path = '/v1/service-connections/current'
const minuteMs = 60_000
const requestHashKey = createSecretKey(Buffer.alloc(32, 7))
const clock = createClock()
let clients = [
  { client_id: 'client-one', name: 'Ledger' },
  { client_id: 'client-two', name: 'Rent & Sons' },
]
const asked: string[] = []
/** The questions that the area spending received, and its answer. */
const validated: unknown[] = []
let refusal: Problem | undefined

const payee = {
  name: 'Rui Prado',
  nickname: null,
  country: 'PT',
  currency: 'EUR',
  payout_schema_id: 'sepa_pt_eur',
  is_external: true,
  purpose_code: null,
  masked_details: { IBAN: '0154' },
  state: 'active',
  operation_id: newId(),
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-20T12:00:00.000Z',
  upstream_reference: 'reference',
} as const

let tables: Awaited<ReturnType<typeof openTestOperations>>
let db: ReturnType<typeof tables.open>
let create: ReturnType<typeof createConfirmationIntent>
let read: ReturnType<typeof getConfirmationIntent>
let find: ReturnType<typeof createFindIntent>
let decide: ReturnType<typeof createDecideIntent>

beforeAll(async () => {
  tables = await openTestOperations()
  db = tables.open()
  const asking: Asking = {
    ...willingAreas,
    validateWithdrawal: async (request) => {
      validated.push(request)
      if (refusal) throw refusal
      return null
    },
    ownerClients: async ({ owner_id }) => {
      asked.push(owner_id)
      return clients.map((client) => ({ ...client, active_grants: [] }))
    },
    findBeneficiary: async ({ beneficiary_id: id }) => ({ ...payee, id }),
    findMandate: async () => null,
    clientOfOperation: async () => undefined,
  }
  const parts = { db, clock, baseUrl: 'https://api.example.test', requestHashKey, sealer, asking }
  create = createConfirmationIntent(parts)
  read = getConfirmationIntent(parts)
  find = createFindIntent(db, clock, sealer)
  decide = createDecideIntent(db, clock, sealer)
})
afterAll(() => tables.close())
beforeEach(() => {
  clock.setOffsetMs(0)
  refusal = undefined
})

type Principal = HandlerContext['principal']
const policy: HandlerContext['policy'] = { ceilings: { per_payment: null, per_day: null }, confirmation: [] }
const contextOf = (principal: Principal, scopes = ['services:read']) =>
  ({ principal, scopes, policy }) as Partial<HandlerContext> as HandlerContext

function issue(principal: Principal, over: Record<string, unknown> = {}, scopes?: string[]) {
  const given = { action: 'service_disconnect', request: { path }, ...over }
  const body = confirmationRoutes.createConfirmationIntent.body.parse(given)
  return create({ params: {}, query: {}, body }, contextOf(principal, scopes))
}

const get = (intent_id: string, principal: Principal, scopes?: string[]) =>
  read({ params: { intent_id }, query: {}, body: undefined }, contextOf(principal, scopes))

/** Decides as an owner who signed in the given number of minutes ago. */
function sayAfter(minutes: number, decision: 'confirm' | 'decline', intent_id: string, owner_id: string) {
  const authenticated_at = new Date(clock.nowMs() - minutes * minuteMs).toISOString()
  return decide({ intent_id, owner_id, decision, authenticated_at })
}

describe('an intent', () => {
  test('is issued in the shape of the contract, pending, for ten minutes', async () => {
    const principal = newPrincipal()
    const before = Date.now()
    const intent = await issue(principal)
    expect(confirmationRoutes.createConfirmationIntent.response.parse(intent)).toEqual(intent)
    expect(intent).toMatchObject({
      action: 'service_disconnect',
      status: 'pending',
      confirmation_url: `https://api.example.test/confirm/${intent.id}`,
      poll_after_ms: 2_000,
    })
    const createdMs = Date.parse(intent.expires_at) - 10 * minuteMs
    expect(createdMs).toBeGreaterThanOrEqual(before)
    expect(createdMs).toBeLessThanOrEqual(Date.now())
    expect(await get(intent.id, principal)).toEqual(intent)
  })

  test('tells its client how many lose the connection and names no other; the owner reads the names', async () => {
    const principal = newPrincipal()
    const intent = await issue(principal)
    expect(asked.at(-1)).toBe(principal.owner_id)
    expect(intent.facts).toEqual([
      { label: 'Loses the connection', value: 'This application and 1 other application', foreign: false },
    ])
    const reported = JSON.stringify([intent, await get(intent.id, principal)])
    const read = await find({ intent_id: intent.id, owner_id: principal.owner_id })
    for (const { name } of clients) {
      expect(reported).not.toContain(name)
      expect(read?.facts).toContainEqual({ label: 'Loses the connection', value: name, foreign: true })
    }
  })

  const boundTo = async (id: string) => {
    const columns = 'owner_id, client_id, grant_id, binding_id, request_hash'
    const text = `SELECT ${columns} FROM confirmation_intents WHERE id = $1`
    return (await query<Record<string, string>>(db, text, [id]))[0]
  }

  test('is bound to owner, client, grant, connection and to the hash that the request itself will have', async () => {
    const principal = newPrincipal()
    const body = { beneficiary_id: newId(), amount: '5', currency: 'EUR' }
    const request = { path: '/v1/spending-account/withdrawals', body }
    const { id } = await issue(principal, { action: 'transfer', request }, ['spending:withdraw'])
    const { owner_id, client_id, grant_id, binding_id } = principal
    const request_hash = requestHash(requestHashKey, { method: 'POST', path: request.path, body })
    expect(await boundTo(id)).toEqual({ owner_id, client_id, grant_id, binding_id, request_hash })
  })

  test('of a disconnect is bound to the connection that it would end, whichever the gateway has named', async () => {
    for (const binding_id of [null, newId()]) {
      const { id } = await issue({ ...newPrincipal(), binding_id })
      expect(await boundTo(id)).toMatchObject({ binding_id: endedConnection })
    }
  })

  test('is not made without a connection: it would confirm the request over the next one', async () => {
    const unconnected = { ...newPrincipal(), binding_id: null }
    const refusal = { code: 'provider_connection_unavailable' }
    const body = { beneficiary_id: newId(), amount: '5', currency: 'EUR' }
    const request = { path: '/v1/spending-account/withdrawals', body }
    const transfer = issue(unconnected, { action: 'transfer', request }, ['spending:withdraw'])
    await expect(transfer).rejects.toMatchObject(refusal)
    const made = 'SELECT FROM confirmation_intents WHERE owner_id = $1'
    expect(await query(db, made, [unconnected.owner_id])).toEqual([])
  })

  test('is refused for an action of no row, for another path, and for a body that is not there', async () => {
    const refusal = (fields: string[]) => ({
      code: 'validation_failed',
      data: { fields: fields.map((name) => ({ path: name })) },
    })
    await expect(issue(newPrincipal(), { request: { path: '/v1/cards', body: {} } })).rejects.toMatchObject(
      refusal(['request.path', 'request.body']),
    )
    expect(confirmationRoutes.createConfirmationIntent.body.safeParse({ action: 'other' }).success).toBe(false)
  })

  test('needs the scope of its action, to be issued and to be read', async () => {
    const refusal = { code: 'insufficient_scope', data: { scope: 'services:read' } }
    const principal = newPrincipal()
    await expect(issue(principal, {}, ['spending:withdraw'])).rejects.toMatchObject(refusal)
    const { id } = await issue(principal)
    await expect(get(id, principal, ['spending:withdraw'])).rejects.toMatchObject(refusal)
  })

  test('is not found by another owner or client, nor under what is no id; another grant of the client finds it', async () => {
    const principal = newPrincipal()
    const { id } = await issue(principal)
    const strangers = [
      { ...principal, owner_id: newId() },
      { ...principal, client_id: 'client-two' },
    ]
    for (const stranger of strangers)
      await expect(get(id, stranger)).rejects.toMatchObject({ code: 'confirmation_intent_not_found' })
    for (const wrong of ['', 'x', newId(), '\0', `${id}x`])
      await expect(get(wrong, principal)).rejects.toMatchObject({ code: 'confirmation_intent_not_found' })
    expect((await get(id, { ...principal, grant_id: newId() })).id).toBe(id)
  })
})

describe('the owner', () => {
  test('sees what the client was given, with the names, and only of own intents', async () => {
    const { owner_id, ...rest } = newPrincipal()
    const intent = await issue({ owner_id, ...rest })
    expect(await find({ intent_id: intent.id, owner_id })).toEqual({
      intent_id: intent.id,
      client_id: rest.client_id,
      grant_id: rest.grant_id,
      action: 'service_disconnect',
      status: 'pending',
      opening: intent.summary.split('\n')[0],
      facts: clients.map(({ name }) => ({ label: 'Loses the connection', value: name, foreign: true })),
      created_at: expect.stringMatching(/Z$/),
      expires_at: intent.expires_at,
      decided_at: null,
      operation_id: null,
    })
    for (const asking of [
      { intent_id: intent.id, owner_id: newId() },
      { intent_id: 'x', owner_id },
    ]) {
      expect(await find(asking)).toBeNull()
      expect(await sayAfter(0, 'confirm', asking.intent_id, asking.owner_id)).toBeNull()
    }
    expect((await get(intent.id, { owner_id, ...rest })).status).toBe('pending')
  })

  test.each([
    ['confirm', 'confirmed'],
    ['decline', 'declined'],
  ] as const)('may %s, once; the same again changes nothing', async (decision, status) => {
    const principal = newPrincipal()
    const { id } = await issue(principal)
    const first = await sayAfter(1, decision, id, principal.owner_id)
    expect(first).toMatchObject({ type: 'decided', intent: { status } })
    clock.setOffsetMs(minuteMs)
    expect(await sayAfter(1, decision, id, principal.owner_id)).toEqual(first)
    expect(await get(id, principal)).toMatchObject({ status, poll_after_ms: null })
  })

  test('declines for good, and takes back what was confirmed and not used, whenever the owner signed in', async () => {
    const principal = newPrincipal()
    const { id } = await issue(principal)
    await sayAfter(1, 'confirm', id, principal.owner_id)
    const declined = { intent: { status: 'declined', facts: [expect.anything(), expect.anything()] } }
    expect(await sayAfter(60, 'decline', id, principal.owner_id)).toMatchObject({ type: 'decided', ...declined })
    expect(await sayAfter(0, 'confirm', id, principal.owner_id)).toMatchObject({ type: 'not_open', ...declined })
    expect((await get(id, principal)).status).toBe('declined')
  })

  test.each([5.1, 60, -2])('who signed in %d minutes ago does not confirm, but may decline', async (minutes) => {
    const principal = newPrincipal()
    const { id } = await issue(principal)
    expect(await sayAfter(minutes, 'confirm', id, principal.owner_id)).toMatchObject({ type: 'sign_in_again' })
    expect((await get(id, principal)).status).toBe('pending')
    expect(await sayAfter(minutes, 'decline', id, principal.owner_id)).toMatchObject({ type: 'decided' })
  })

  test('decides nothing after ten minutes, and what was confirmed and not used by then has expired too', async () => {
    const principal = newPrincipal()
    const [open, confirmed, declined] = [await issue(principal), await issue(principal), await issue(principal)]
    await sayAfter(0, 'confirm', confirmed.id, principal.owner_id)
    await sayAfter(0, 'decline', declined.id, principal.owner_id)
    clock.setOffsetMs(10 * minuteMs + 1_000)
    expect(await sayAfter(0, 'confirm', open.id, principal.owner_id)).toMatchObject({
      type: 'not_open',
      intent: { status: 'expired', decided_at: null },
    })
    const statuses = await Promise.all(
      [open, confirmed, declined].map(async ({ id }) => (await get(id, principal)).status),
    )
    expect(statuses).toEqual(['expired', 'expired', 'declined'])
  })

  test('concurrent confirms and declines leave a decline, which no confirmation undoes', async () => {
    const principal = newPrincipal()
    const { id } = await issue(principal)
    const said = await Promise.all(
      Array.from({ length: 20 }, (_, index) => sayAfter(0, index % 2 ? 'confirm' : 'decline', id, principal.owner_id)),
    )
    expect((await get(id, principal)).status).toBe('declined')
    const declines = said.filter((_answer, index) => index % 2 === 0)
    expect(declines.map((answer) => answer?.type)).toEqual(declines.map(() => 'decided'))
  })
})

describe('a request that would be refused', () => {
  const path = '/v1/spending-account/withdrawals'
  const body = { beneficiary_id: newId(), amount: '5', currency: 'EUR' }
  const ask = (principal: Principal) =>
    issue(principal, { action: 'transfer', request: { path, body } }, ['spending:withdraw'])
  const intentsOf = async ({ owner_id }: Principal) =>
    (await query(db, 'SELECT FROM confirmation_intents WHERE owner_id = $1', [owner_id])).length

  test('is validated by its area for the grant that asks, and there is no intent where it is refused', async () => {
    const principal = newPrincipal()
    await ask(principal)
    expect(validated.at(-1)).toEqual({ principal, policy, params: {}, body })
    refusal = new Problem('grant_ceiling_exceeded', { detail: 'A ceiling refuses this.' })
    await expect(ask(principal)).rejects.toBe(refusal)
    expect(await intentsOf(principal)).toBe(1)
  })

  test('is refused with its members named from the request', async () => {
    refusal = fieldsProblem([{ path: 'amount', message: 'Send at most 50 EUR.' }])
    await expect(ask(newPrincipal())).rejects.toMatchObject({
      code: 'validation_failed',
      data: {
        detail: 'request.body.amount: Send at most 50 EUR.',
        fields: [{ path: 'request.body.amount', message: 'Send at most 50 EUR.' }],
      },
    })
  })

  test('is refused for its path where what the path names is not there', async () => {
    refusal = new Problem('mandate_not_found')
    await expect(ask(newPrincipal())).rejects.toMatchObject({
      code: 'validation_failed',
      data: { fields: [{ path: 'request.path', message: refusal.data.detail }] },
    })
  })

  test('makes no intent while nobody can validate it', async () => {
    const principal = newPrincipal()
    refusal = new Problem('provider_unavailable')
    await expect(ask(principal)).rejects.toBe(refusal)
    expect(await intentsOf(principal)).toBe(0)
  })
})

describe('what an intent quotes of the payload', () => {
  const memo = 'Rent of March'
  const scopes = ['spending:withdraw']
  const quoting = async (principal: Principal) => {
    const body = { beneficiary_id: newId(), amount: '5', currency: 'EUR', purpose_code: 'RENT', memo }
    const request = { path: '/v1/spending-account/withdrawals', body }
    return issue(principal, { action: 'transfer', request }, scopes)
  }
  const stored = async (id: string) => {
    const [row] = await query<{ text: string; sealed: Buffer | null }>(
      db,
      'SELECT i::text AS text, quoted_sealed AS sealed FROM confirmation_intents i WHERE id = $1',
      [id],
    )
    return row ?? { text: '', sealed: null }
  }

  test('is read by client and owner while it is open, and kept sealed', async () => {
    const principal = newPrincipal()
    const intent = await quoting(principal)
    expect(intent.summary).toMatch(/Rui Prado[^]*\nPurpose: “RENT”\nMemo: “Rent of March”$/)
    await sayAfter(0, 'confirm', intent.id, principal.owner_id)
    const found = await find({ intent_id: intent.id, owner_id: principal.owner_id })
    const reported = new Set(intent.facts.map(({ label }) => label))
    const same = found?.facts.filter(({ label }) => reported.has(label)).map(forClient)
    expect([same, (await get(intent.id, principal, scopes)).summary]).toEqual([intent.facts, intent.summary])
    expect(found?.facts).toContainEqual({ label: 'Memo', value: memo, foreign: true })
    const { text, sealed } = await stored(intent.id)
    for (const plain of [memo, 'RENT', Buffer.from(memo).toString('hex')]) expect(text).not.toContain(plain)
    expect(sealed).not.toBeNull()
  })

  test('goes when it is declined', async () => {
    const principal = newPrincipal()
    const { id } = await quoting(principal)
    const said = await sayAfter(0, 'decline', id, principal.owner_id)
    expect(JSON.stringify(said?.intent)).not.toContain(memo)
    expect((await stored(id)).sealed).toBeNull()
  })

  test('is not shown once it has expired, and goes with the next background job', async () => {
    const principal = newPrincipal()
    const [ending, { id: open }] = [await quoting(principal), await quoting(newPrincipal())]
    await query(db, 'UPDATE confirmation_intents SET expires_at = now() WHERE id = $1', [ending.id])
    clock.setOffsetMs(1_000)
    expect(JSON.stringify(await get(ending.id, principal, scopes))).not.toContain(memo)
    expect(await eraseQuotedPayloads({ db, clock })).toBe(false)
    expect([(await stored(ending.id)).sealed, (await stored(open)).sealed === null]).toEqual([null, false])
  })
})

test('an intent is gone a day after it expired, and not before', async () => {
  const principal = newPrincipal()
  const { id } = await issue(principal)
  clock.setOffsetMs(24 * 60 * minuteMs)
  expect(await pruneEndedIntents({ db, clock })).toBe(false)
  expect((await get(id, principal)).status).toBe('expired')
  clock.setOffsetMs(24 * 60 * minuteMs + 11 * minuteMs)
  await pruneEndedIntents({ db, clock })
  await expect(get(id, principal)).rejects.toMatchObject({ code: 'confirmation_intent_not_found' })
})
