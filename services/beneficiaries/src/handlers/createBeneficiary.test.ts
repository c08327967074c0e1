import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { statement } from '@financial-agents/postgres/database'
import { dataOf, newPrincipal, problemOf, untilDraftsAreDecidedMs } from '@financial-agents/testkit/test-service'
import { keyOf, newOperation } from '@financial-agents/writes/testing/stub-operations'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { goodBody, iban, startStack } from '../started.test-helper.ts'

const stack = await startStack({ replicas: 2 })
afterAll(() => stack.stop())

const { operations } = stack
beforeEach(() => {
  operations.beforeAccept = async () => {}
  operations.beforeAnswer = async () => {}
  stack.clock.setOffsetMs(0)
})

const eventually = { timeout: 120_000, interval: 25 }
const rowsOf = async (ownerId: string) => (await stack.rows()).filter((row) => row.owner_id === ownerId)
/** Moves the clock until drafts are old enough for their background job. Nothing else becomes due. */
const letDraftsAge = () => stack.clock.setOffsetMs(untilDraftsAreDecidedMs + 1_000)

test('200 equal concurrent requests make one draft and one operation, and exactly one is not a replay', async () => {
  const principal = newPrincipal()
  const key = randomUUID()
  const replies = await Promise.all(Array.from({ length: 200 }, () => stack.create(principal, goodBody(), key)))
  const ids = new Set(replies.map((reply) => dataOf(reply).id))
  expect(ids.size).toBe(1)
  expect(replies.filter((reply) => reply.ok && !reply.replayed)).toHaveLength(1)
  const rows = await rowsOf(principal.owner_id)
  expect(rows.map((row) => row.state)).toEqual(['pending'])
  expect(ids).toContain(rows[0]?.operation_id)
})

test('an accepted beneficiary is pending, carries its operation and shows masks alone', async () => {
  const principal = newPrincipal()
  const operation = dataOf(await stack.create(principal, goodBody({ nickname: 'Rui', is_external: true })))
  const { items } = await stack.list(principal)
  expect(items).toEqual([
    {
      id: operation.resource_id,
      name: 'Rui Prado',
      nickname: 'Rui',
      country: 'PT',
      currency: 'EUR',
      payout_schema_id: 'sepa_pt_eur',
      is_external: true,
      purpose_code: null,
      masked_details: { IBAN: '0154' },
      state: 'pending',
      operation_id: operation.id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    },
  ])
  expect(dataOf(await stack.get(principal, operation.resource_id))).toEqual(items[0])
})

test('the payload is sealed for its operation alone, and the details stand nowhere in the schema', async () => {
  const principal = newPrincipal()
  const body = goodBody({ purpose_code: 'rent' })
  const { id } = dataOf(await stack.create(principal, body))
  const asked = operations.asked.find((request) => request.operation_id === id)
  const sealed = Buffer.from(asked?.payload_sealed ?? '', 'base64')
  expect(JSON.parse(stack.payloadSealer.open(sealed, id).toString())).toEqual({
    ...body,
    nickname: null,
    is_external: false,
  })
  expect(() => stack.payloadSealer.open(sealed, randomUUIDv7())).toThrow('')
  expect(asked).toMatchObject({ kind: 'beneficiary_create', mandate_id: null, principal })
  const leaks = await stack.db.rows(
    statement('test_leaks', `SELECT FROM beneficiaries b WHERE b::text LIKE '%' || $1 || '%'`),
    [iban.slice(-8)],
  )
  expect(leaks).toEqual([])
})

test('an IBAN as it is printed is sent in its electronic form, and its spelling belongs to the request', async () => {
  const principal = newPrincipal()
  const key = randomUUID()
  const printed = iban.toLowerCase().replaceAll(/.{4}(?!$)/g, '$& ')
  const body = goodBody({ details: { iban: printed } })
  const { id } = dataOf(await stack.create(principal, body, key))
  const asked = operations.asked.find((request) => request.operation_id === id)
  const sealed = Buffer.from(asked?.payload_sealed ?? '', 'base64')
  expect(JSON.parse(stack.payloadSealer.open(sealed, id).toString())).toMatchObject({ details: { iban } })
  expect((await stack.list(principal)).items).toMatchObject([{ masked_details: { IBAN: iban.slice(-4) } }])
  expect(await stack.create(principal, body, key)).toMatchObject({ ok: true, replayed: true, data: { id } })
  expect(problemOf(await stack.create(principal, goodBody(), key)).code).toBe('idempotency_key_conflict')
})

test('a replay returns the live row and writes nothing', async () => {
  const principal = newPrincipal()
  const key = randomUUID()
  const { id } = dataOf(await stack.create(principal, goodBody(), key))
  const live = operations.operations.get(id)
  if (live) live.state = 'submitting'
  const again = await stack.create(principal, goodBody(), key)
  expect(again).toMatchObject({ ok: true, replayed: true, data: { id, state: 'submitting' } })
  expect(await rowsOf(principal.owner_id)).toHaveLength(1)
})

test('a replay is answered although its body would be refused now', async () => {
  const principal = newPrincipal()
  const key = randomUUID()
  const { id } = dataOf(await stack.create(principal, goodBody(), key))
  // The binding's credentials are gone, and the reads made with them are too old to use.
  stack.clock.setOffsetMs(61_000)
  stack.credentialsOf.set(principal.binding_id ?? '', 'test-user-nobody')
  expect(await stack.create(principal, goodBody(), key)).toMatchObject({ ok: true, replayed: true, data: { id } })
  const problem = problemOf(await stack.create(principal, goodBody()))
  expect(problem).toMatchObject({ code: 'provider_connection_unavailable', refresh_onboarding: true })
})

test('a key used for another request conflicts, before anything in the body is refused', async () => {
  const principal = newPrincipal()
  const key = randomUUID()
  await stack.create(principal, goodBody(), key)
  for (const body of [goodBody({ name: 'Other' }), goodBody({ details: {} })])
    expect(problemOf(await stack.create(principal, body, key)).code).toBe('idempotency_key_conflict')
  expect((await rowsOf(principal.owner_id)).map((row) => row.state).toSorted()).toEqual(['pending', 'void'])
  expect((await stack.list(principal)).items).toHaveLength(1)
})

test('an expired key is refused, with the same body and with another', async () => {
  const principal = newPrincipal()
  const key = randomUUID()
  await stack.create(principal, goodBody(), key)
  for (const [identity, record] of operations.keys) if (identity.endsWith(key)) record.expired = true
  for (const body of [goodBody(), goodBody({ name: 'Other' }), goodBody({ details: {} })])
    expect(problemOf(await stack.create(principal, body, key)).code).toBe('idempotency_key_expired')
  expect((await stack.list(principal)).items).toHaveLength(1)
})

test('a key that operations has pruned reads as new and makes a second beneficiary', async () => {
  const principal = newPrincipal()
  const key = randomUUID()
  const first = dataOf(await stack.create(principal, goodBody(), key))
  for (const identity of operations.keys.keys()) if (identity.endsWith(key)) operations.keys.delete(identity)
  const second = await stack.create(principal, goodBody(), key)
  expect(second).toMatchObject({ ok: true })
  expect(dataOf(second).id).not.toBe(first.id)
  expect(second).not.toHaveProperty('replayed')
  expect((await stack.list(principal)).items).toHaveLength(2)
})

test('a draft is invisible until acceptance is known', async () => {
  const principal = newPrincipal()
  const held = Promise.withResolvers<void>()
  operations.beforeAnswer = () => held.promise
  const reply = stack.create(principal, goodBody())
  await vi.waitFor(async () => expect(await rowsOf(principal.owner_id)).toHaveLength(1), eventually)
  const [draft] = await rowsOf(principal.owner_id)
  expect((await stack.list(principal)).items).toEqual([])
  expect(problemOf(await stack.get(principal, draft?.id ?? '')).code).toBe('beneficiary_not_found')
  held.resolve()
  dataOf(await reply)
  expect((await stack.list(principal)).items.map((item) => item.id)).toEqual([draft?.id])
})

test('without an answer to accept the client is asked to look, and the background job finds what was accepted', async () => {
  const principal = newPrincipal()
  const key = 'key with spaces & ampersand'
  operations.beforeAnswer = stack.lostAnswers.lose
  const problem = problemOf(await stack.create(principal, goodBody(), key))
  expect(problem.code).toBe('acceptance_unknown')
  // The client waits for 60 s. Acceptance has less time, so that the client still hears that it is unknown.
  expect(stack.lostAnswers.contexts.at(-1)?.timeoutMs).toBeLessThanOrEqual(59_850)
  expect(problem.detail).toContain('GET /v1/operations?idempotency_key=key+with+spaces+%26+ampersand')
  expect((await stack.list(principal)).items).toEqual([])
  letDraftsAge()
  await vi.waitFor(async () => expect((await stack.list(principal)).items).toHaveLength(1), eventually)
})

test('a draft whose request never reached acceptance is void once operations has decided so', async () => {
  const principal = newPrincipal()
  const key = randomUUID()
  operations.beforeAccept = stack.lostAnswers.lose
  expect(problemOf(await stack.create(principal, goodBody(), key)).code).toBe('acceptance_unknown')
  const [draft] = await rowsOf(principal.owner_id)
  expect(draft?.state).toBe('draft')
  letDraftsAge()
  await vi.waitFor(async () => expect((await rowsOf(principal.owner_id))[0]?.state).toBe('void'), eventually)
  expect(operations.decisions.get(draft?.operation_id ?? '')).toBe(false)
  expect(problemOf(await stack.get(principal, draft?.id ?? '')).code).toBe('beneficiary_not_found')
  operations.beforeAccept = async () => {}
  expect(await stack.create(principal, goodBody(), key)).toMatchObject({ ok: true })
})

test('an equal request joins the undecided draft of one that got no answer', async () => {
  const principal = newPrincipal()
  const key = randomUUID()
  operations.beforeAnswer = stack.lostAnswers.lose
  expect(problemOf(await stack.create(principal, goodBody(), key)).code).toBe('acceptance_unknown')
  operations.beforeAnswer = async () => {}
  const [draft] = await rowsOf(principal.owner_id)
  const reply = await stack.create(principal, goodBody(), key)
  expect(reply).toMatchObject({ ok: true, replayed: true, data: { id: draft?.operation_id } })
  expect((await rowsOf(principal.owner_id)).map((row) => row.state)).toEqual(['pending'])
})

test('a refusal does not void the draft of another request, which may have been accepted', async () => {
  const principal = newPrincipal()
  const key = randomUUID()
  operations.beforeAnswer = stack.lostAnswers.lose
  expect(problemOf(await stack.create(principal, goodBody(), key)).code).toBe('acceptance_unknown')
  operations.beforeAnswer = async () => {}
  for (const [identity, record] of operations.keys) if (identity.endsWith(key)) record.expired = true
  expect(problemOf(await stack.create(principal, goodBody(), key)).code).toBe('idempotency_key_expired')
  expect((await rowsOf(principal.owner_id)).map((row) => row.state)).toEqual(['draft'])
  letDraftsAge()
  await vi.waitFor(async () => expect((await stack.list(principal)).items).toHaveLength(1), eventually)
})

test('where the background job decided against the draft first, the request goes on with a new one', async () => {
  const principal = newPrincipal()
  let decidedAgainst = ''
  operations.beforeAccept = async (request) => {
    decidedAgainst ||= request.operation_id
    operations.decisions.set(decidedAgainst, false)
  }
  const operation = dataOf(await stack.create(principal, goodBody()))
  expect(operation.id).not.toBe(decidedAgainst)
  expect((await rowsOf(principal.owner_id)).map((row) => row.state).toSorted()).toEqual(['pending', 'void'])
})

test('this request lost where the operation that comes back is another: its draft is void', async () => {
  const principal = newPrincipal()
  const other = newOperation(randomUUIDv7(), randomUUIDv7())
  operations.beforeAccept = async (request) => {
    operations.operations.set(other.id, other)
    operations.keys.set(keyOf(request), { hash: request.request_hash, operationId: other.id, expired: false })
  }
  const reply = await stack.create(principal, goodBody())
  expect(reply).toMatchObject({ ok: true, replayed: true, data: { id: other.id } })
  expect((await rowsOf(principal.owner_id)).map((row) => row.state)).toEqual(['void'])
})

test.each([
  ['an unknown schema', { payout_schema_id: 'constructor' }, ['payout_schema_id']],
  ['another country and currency', { country: 'DE', currency: 'USD' }, ['country', 'currency']],
  ['a missing required field', { details: {} }, ['details.iban']],
  ['an unknown field', { details: { iban, constructor: 'x' } }, ['details.constructor']],
  ['a value of another length', { details: { iban: 'PT50' } }, ['details.iban']],
  ['a value of another form', { details: { iban: `ES${iban.slice(2)}` } }, ['details.iban']],
  ['a line break that the pattern could let through', { details: { iban: `${iban}\n` } }, ['details.iban']],
  [
    'control characters',
    { name: 'Rui\u0000', nickname: 'a\u0007', purpose_code: '\ud800' },
    ['name', 'nickname', 'purpose_code'],
  ],
])('%s is refused with its path, and nothing is written', async (_name, changes, paths) => {
  const principal = newPrincipal()
  const problem = problemOf(await stack.create(principal, goodBody(changes)))
  expect(problem.code).toBe('validation_failed')
  expect(problem.fields?.map((field) => field.path)).toEqual(paths)
  for (const field of problem.fields ?? []) expect(field.message).toMatch(/^(Send|Remove)/)
  expect(await rowsOf(principal.owner_id)).toEqual([])
})

test('an option that the schema does not list is refused with the list', async () => {
  const details = { routing_number: '021000021', account_number: '9876543210', account_type: 'gold' }
  const body = goodBody({ payout_schema_id: 'ach_us_usd', country: 'US', currency: 'USD', details })
  const problem = problemOf(await stack.create(newPrincipal(), body))
  expect(problem.fields).toEqual([{ path: 'details.account_type', message: 'Send one of: checking, savings.' }])
})

test('an owner whose binding onboarding does not know is asked to look at the onboarding', async () => {
  const problem = problemOf(await stack.create(newPrincipal({ binding_id: 'gone' }), goodBody()))
  expect(problem).toMatchObject({ code: 'provider_connection_unavailable', refresh_onboarding: true })
})
