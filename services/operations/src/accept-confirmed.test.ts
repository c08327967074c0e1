/** Acceptance of requests that name an intent, at two instances on one database. */

import { randomBytes } from 'node:crypto'
import type { AcceptRequest, AcceptResult } from '@financial-agents/bus/messages/operations'
import type { Database } from '@financial-agents/postgres/database'
import { createFrozenClock } from '@financial-agents/runtime/clock'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDecide } from './calls/decide.ts'
import { createDecideIntent } from './calls/intents.ts'
import {
  createInstance,
  dayMs,
  newConfirmed,
  newId,
  newPrincipal,
  newRequest,
  offeredAgain,
  openTestOperations,
  query,
  sealer,
} from './operations.test-helper.ts'
import { recordIntent } from './store/confirmation-intents.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
let db: Database
let one: ReturnType<typeof createInstance>
let other: ReturnType<typeof createInstance>

beforeAll(async () => {
  tables = await openTestOperations()
  db = tables.open()
  one = createInstance(tables.open(), { clock: createFrozenClock() })
  other = createInstance(tables.open())
})
afterAll(() => tables.close())
beforeEach(() => {
  for (const { clock } of [one, other]) clock.setOffsetMs(0)
})

const confirmed = (...given: [request?: AcceptRequest, over?: Parameters<typeof newConfirmed>[3]]) =>
  newConfirmed(db, one.clock.now(), ...given)

const codes = (results: readonly AcceptResult[]) =>
  results.map((result) => (result.type === 'refused' ? result.code : result.type)).toSorted()

const newKey = (request: AcceptRequest) => ({ ...offeredAgain(request), key: `key-${newId()}` })

async function intentOf(request: AcceptRequest) {
  const [intent] = await query<{ status: string; consumed_operation_id: string | null }>(
    db,
    'SELECT status, consumed_operation_id FROM confirmation_intents WHERE id = $1',
    [request.confirmation?.intent_id],
  )
  return intent
}

/** Expects that a refusal leaves the tombstone of its id and nothing else. */
async function expectRefused(requests: readonly AcceptRequest[]): Promise<void> {
  const ids = requests.map(({ operation_id }) => operation_id)
  const decisions = await query(db, 'SELECT accepted FROM decisions WHERE operation_id = ANY ($1::uuid[])', [ids])
  expect(decisions).toEqual(ids.map(() => ({ accepted: false })))
  const left = await query(
    db,
    `SELECT 1 FROM idempotency_keys WHERE operation_id = ANY ($1::uuid[])
    UNION ALL SELECT 1 FROM operations WHERE id = ANY ($1::uuid[])
    UNION ALL SELECT 1 FROM moves WHERE operation_id = ANY ($1::uuid[])`,
    [ids],
  )
  expect(left).toEqual([])
}

test('an intent goes with the one operation that it allowed', async () => {
  const request = await confirmed()
  expect((await one.accept(request)).type).toBe('accepted')
  expect(await intentOf(request)).toEqual({ status: 'consumed', consumed_operation_id: request.operation_id })
})

test('of 50 requests with keys of their own and one intent, at two instances at once, one is accepted', async () => {
  const request = await confirmed()
  const requests = [request, ...Array.from({ length: 49 }, () => newKey(request))]
  const results = await Promise.all(requests.map((offer, index) => (index % 2 ? one : other).accept(offer)))
  expect(codes(results)).toEqual(['accepted', ...Array<string>(49).fill('confirmation_already_used')])
  const lost = requests.filter((_offer, index) => results[index]?.type === 'refused')
  await expectRefused(lost)
  const winner = requests.find((offer) => !lost.includes(offer))
  expect(await intentOf(request)).toEqual({ status: 'consumed', consumed_operation_id: winner?.operation_id })
})

test('of 50 equal requests with one key and one intent one is accepted, and the others are replays', async () => {
  const request = await confirmed()
  const requests = [request, ...Array.from({ length: 49 }, () => offeredAgain(request))]
  const results = await Promise.all(requests.map((offer, index) => (index % 2 ? one : other).accept(offer)))
  expect(codes(results)).toEqual(['accepted', ...Array<string>(49).fill('replayed')])
  const ids = results.map((result) => ('operation' in result ? result.operation.id : undefined))
  expect(new Set(ids).size).toBe(1)
  expect(await intentOf(request)).toEqual({ status: 'consumed', consumed_operation_id: ids[0] })
})

test('of 50 equal requests that joined one draft one is accepted, and the others are replays', async () => {
  const request = await confirmed()
  const results = await Promise.all(Array.from({ length: 50 }, (_, index) => (index % 2 ? one : other).accept(request)))
  expect(codes(results)).toEqual(['accepted', ...Array<string>(49).fill('replayed')])
})

test('of 50 equal requests that joined one draft and are not confirmed each learns why', async () => {
  const { request } = await asked()
  const results = await Promise.all(Array.from({ length: 50 }, (_, index) => (index % 2 ? one : other).accept(request)))
  expect(codes(results)).toEqual(Array<string>(50).fill('confirmation_pending'))
  await expectRefused([request])
})

test('a spent and expired intent under its own key is a replay: the key comes first', async () => {
  const request = await confirmed()
  await one.accept(request)
  other.clock.setOffsetMs(dayMs / 2)
  expect(await other.accept(offeredAgain(request))).toMatchObject({
    type: 'replayed',
    operation: { id: request.operation_id },
  })
  const different = { ...offeredAgain(request), request_hash: 'another' }
  expect(await other.accept(different)).toEqual({ type: 'conflict' })
})

test('an unknown, a foreign and a malformed id get one answer, and no intent changes', async () => {
  const request = await confirmed()
  const named = (intent_id: string, over: Partial<AcceptRequest> = {}) => ({
    ...newKey(request),
    confirmation: { action: 'transfer', intent_id } as const,
    ...over,
  })
  const { intent_id } = request.confirmation
  const requests = [
    named(newId()),
    named('not-an-id-of-anything'),
    named('\0'),
    named(intent_id, { principal: { ...request.principal, owner_id: newId() } }),
    named(intent_id, { principal: { ...request.principal, client_id: 'client-two' } }),
  ]
  const results = await Promise.all(requests.map((offer) => one.accept(offer)))
  expect(codes(results)).toEqual(requests.map(() => 'confirmation_required'))
  await expectRefused(requests)
  expect(await intentOf(request)).toEqual({ status: 'confirmed', consumed_operation_id: null })
})

test('an intent of another grant, action or request is a mismatch and stays good for its own', async () => {
  const request = await confirmed()
  const { intent_id } = request.confirmation
  const requests: AcceptRequest[] = [
    { ...newKey(request), principal: { ...request.principal, grant_id: newId() } },
    { ...newKey(request), request_hash: randomBytes(32).toString('base64url') },
    { ...newKey(request), confirmation: { action: 'mandate_create', intent_id } },
  ]
  const results = await Promise.all(requests.map((offer) => one.accept(offer)))
  expect(codes(results)).toEqual(requests.map(() => 'confirmation_mismatch'))
  await expectRefused(requests)
  expect((await one.accept(request)).type).toBe('accepted')
})

/** The same request after its owner has disconnected and connected again. */
const overNextConnection = (request: AcceptRequest): AcceptRequest => ({
  ...request,
  principal: { ...request.principal, binding_id: newId() },
})
const overNextWithNewKey = (request: AcceptRequest) => overNextConnection(newKey(request))

test('an intent ends with its connection: over the next one it is a mismatch, and it stays unused', async () => {
  const request = await confirmed()
  const late = overNextWithNewKey(request)
  expect(await one.accept(late)).toEqual({ type: 'refused', code: 'confirmation_mismatch' })
  await expectRefused([late])
  expect(await intentOf(request)).toEqual({ status: 'confirmed', consumed_operation_id: null })
  expect((await one.accept(request)).type).toBe('accepted')
  const used = overNextWithNewKey(request)
  expect(await other.accept(used)).toEqual({ type: 'refused', code: 'confirmation_already_used' })
})

test('a repetition of an accepted request is a replay, also after its owner has connected again', async () => {
  const request = await confirmed()
  const { operation_id: id } = request
  expect((await one.accept(request)).type).toBe('accepted')
  for (const again of [offeredAgain(request), request].map(overNextConnection))
    expect(await other.accept(again)).toMatchObject({ type: 'replayed', operation: { id } })
  expect(await intentOf(request)).toEqual({ status: 'consumed', consumed_operation_id: id })
})

test('of equal requests over two connections, at two instances at once, only one over the connection of the intent is accepted', async () => {
  const request = await confirmed()
  const requests = Array.from({ length: 40 }, (_, index) => (index % 2 ? newKey(request) : overNextWithNewKey(request)))
  const results = await Promise.all(requests.map((offer, index) => (index % 4 < 2 ? one : other).accept(offer)))
  const winner = requests.find((_offer, index) => results[index]?.type === 'accepted')
  expect(results.filter(({ type }) => type === 'accepted')).toHaveLength(1)
  expect(winner?.principal.binding_id).toBe(request.principal.binding_id)
  expect(await intentOf(request)).toEqual({ status: 'consumed', consumed_operation_id: winner?.operation_id })
})

test('an intent is good until its end by the clock, and expired from then on', async () => {
  const [inTime, late] = [await confirmed(), await confirmed()]
  one.clock.setOffsetMs(599_999)
  expect((await one.accept(inTime)).type).toBe('accepted')
  one.clock.setOffsetMs(600_000)
  expect(await one.accept(late)).toEqual({ type: 'refused', code: 'confirmation_expired' })
  await expectRefused([late])
})

test('an undecided intent is pending, a declined one is declined, and neither is consumed', async () => {
  const { intent_id: pending, ...open } = await asked()
  const { intent_id: declined, ...refused } = await asked()
  const { owner_id } = refused.request.principal
  const decision = { owner_id, decision: 'decline', authenticated_at: one.clock.now().toISOString() } as const
  await createDecideIntent(db, one.clock, sealer)({ intent_id: declined, ...decision })
  expect(await one.accept(open.request)).toEqual({ type: 'refused', code: 'confirmation_pending' })
  expect(await one.accept(refused.request)).toEqual({ type: 'refused', code: 'confirmation_declined' })
  await expectRefused([open.request, refused.request])
  const rows = await query(db, 'SELECT status FROM confirmation_intents WHERE id = ANY ($1::uuid[]) ORDER BY status', [
    [pending, declined],
  ])
  expect(rows).toEqual([{ status: 'declined' }, { status: 'pending' }])
})

test('a confirmation that is taken back allows nothing, and one that was used is not taken back', async () => {
  const [back, used] = [await confirmed(), await confirmed()]
  const decline = ({ principal: { owner_id }, confirmation }: Awaited<ReturnType<typeof confirmed>>) =>
    createDecideIntent(
      db,
      one.clock,
      sealer,
    )({
      intent_id: confirmation.intent_id,
      owner_id,
      decision: 'decline',
      authenticated_at: one.clock.now().toISOString(),
    })
  expect(await decline(back)).toMatchObject({ type: 'decided', intent: { status: 'declined' } })
  expect(await one.accept(back)).toEqual({ type: 'refused', code: 'confirmation_declined' })
  await expectRefused([back])
  expect((await one.accept(used)).type).toBe('accepted')
  expect(await decline(used)).toMatchObject({ type: 'not_open', intent: { status: 'consumed' } })
  expect(await intentOf(used)).toEqual({ status: 'consumed', consumed_operation_id: used.operation_id })

  // Use and taking back at once, at two replicas: one of the two holds, and both sides hear the same.
  const raced = await Promise.all(Array.from({ length: 10 }, () => confirmed()))
  const ends = await Promise.all(
    raced.map((request, index) =>
      Promise.all(index % 2 ? [one.accept(request), decline(request)] : [other.accept(request), decline(request)]),
    ),
  )
  for (const [result, answer] of ends)
    expect([result.type === 'accepted' ? 'accepted' : result.type === 'refused' && result.code, answer?.type]).toEqual(
      result.type === 'accepted' ? ['accepted', 'not_open'] : ['confirmation_declined', 'decided'],
    )
})

/** A request that names an undecided intent. */
async function asked() {
  const request = newRequest()
  const { owner_id, client_id, grant_id } = request.principal
  const binding_id = String(request.principal.binding_id)
  const [id, now] = [newId(), one.clock.now()]
  const action = 'transfer' as const
  const bound = { owner_id, client_id, grant_id, binding_id, action, request_hash: request.request_hash }
  await recordIntent(db, {
    ...bound,
    id,
    summary: 'words',
    facts: { client: [], owner: [] },
    created_at: now,
    expires_at: new Date(now.getTime() + 600_000),
  })
  return { intent_id: id, request: { ...request, confirmation: { action, intent_id: id } } }
}

test('offers of one batch are validated one by one, whatever the others name', async () => {
  const single = createInstance(tables.open(), { concurrency: 1 })
  const good = await Promise.all(Array.from({ length: 5 }, () => confirmed()))
  const plain = Array.from({ length: 5 }, () => newRequest())
  const bad = good.map((request) => ({ ...newKey(request), request_hash: 'another' }))
  const twice = good.map(newKey)
  const results = await Promise.all([...plain, ...bad, ...good, ...twice].map((request) => single.accept(request)))
  expect(results.slice(0, 5).map(({ type }) => type)).toEqual(plain.map(() => 'accepted'))
  expect(codes(results.slice(5, 10))).toEqual(bad.map(() => 'confirmation_mismatch'))
  expect(results.slice(10, 15).map(({ type }) => type)).toEqual(good.map(() => 'accepted'))
  expect(codes(results.slice(15))).toEqual(twice.map(() => 'confirmation_already_used'))
  await expectRefused([...bad, ...twice])
  await single.db.close()
})

test('an offer yields its intent only to one that becomes an operation', async () => {
  const single = createInstance(tables.open(), { concurrency: 1 })
  const first = await confirmed()
  const second = newKey(first)
  await createDecide(db, one.clock)({ operation_ids: [first.operation_id] })
  const results = await Promise.all([single.accept(first), single.accept(second)])
  expect(results.map(({ type }) => type)).toEqual(['void', 'accepted'])
  expect(await intentOf(first)).toEqual({ status: 'consumed', consumed_operation_id: second.operation_id })
  await single.db.close()
})

test('the same intents in opposite orders at two instances never deadlock', async () => {
  const failures: unknown[] = []
  const watched = (watching: Database): Database => ({
    ...watching,
    transaction: (work) =>
      watching.transaction(work).catch((error: unknown) => {
        failures.push(error)
        throw error
      }),
  })
  const [left, right] = [createInstance(watched(tables.open())), createInstance(watched(tables.open()))]
  for (let round = 0; round < 10; round++) {
    const principal = newPrincipal()
    const requests = await Promise.all(Array.from({ length: 40 }, () => confirmed(newRequest({ principal }))))
    const rivals = requests.map(round % 2 ? newKey : offeredAgain).toReversed()
    const results = await Promise.all([
      ...requests.map((request) => left.accept(request)),
      ...rivals.map((request) => right.accept(request)),
    ])
    const loss = round % 2 ? 'confirmation_already_used' : 'replayed'
    expect(codes(results)).toEqual([...requests.map(() => 'accepted'), ...rivals.map(() => loss)])
  }
  expect(failures).toEqual([])
})

test('offers of a known grant that name no intent run the four statements of acceptance and no other', async () => {
  const names: string[] = []
  const pool = tables.open()
  const counting: Database = {
    ...pool,
    transaction: (work) =>
      pool.transaction((tx) =>
        work({
          rows: (statement, values) => {
            names.push(statement.name)
            return tx.rows(statement, values)
          },
        }),
      ),
  }
  const single = createInstance(counting, { concurrency: 1 })
  const { principal } = newRequest()
  await single.accept(newRequest({ principal }))
  names.length = 0
  const requests = Array.from({ length: 20 }, () => newRequest({ principal }))
  await Promise.all(requests.map((request) => single.accept(request)))
  expect(names).toEqual(['look_up_keys', 'insert_decisions', 'insert_keys', 'insert_operations'])
  names.length = 0
  await single.accept(await confirmed(newRequest({ principal })))
  expect(names).toEqual([
    'look_up_keys',
    'lock_intents',
    'insert_decisions',
    'insert_keys',
    'consume_intents',
    'insert_operations',
  ])
})

test("an intent's quotes of the payload are erased with its use, and stay if the request is refused", async () => {
  const quoted_sealed = sealer.seal(Buffer.from('Memo'), 'any')
  const request = await newConfirmed(db, one.clock.now(), newRequest(), { quoted_sealed })
  const left = async () => {
    const text = 'SELECT quoted_sealed AS quoted FROM confirmation_intents WHERE id = $1'
    return (await query<{ quoted: Buffer | null }>(db, text, [request.confirmation.intent_id]))[0]?.quoted
  }
  expect((await one.accept({ ...newKey(request), request_hash: 'another' })).type).toBe('refused')
  expect(await left()).toEqual(quoted_sealed)
  expect((await one.accept(request)).type).toBe('accepted')
  expect(await left()).toBeNull()
})
