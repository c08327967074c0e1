/**
 * Acceptance of payments against the limits of a day, at two instances on one database, and the release of
 * reservations.
 */

import type { AcceptRequest, AcceptResult, Payment } from '@financial-agents/bus/messages/operations'
import { type OperationState, transitions } from '@financial-agents/contract/machine'
import type { Database } from '@financial-agents/postgres/database'
import { createLog } from '@financial-agents/runtime/log'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createInstance,
  dayMs,
  moveOf,
  newConfirmed,
  newId,
  newPayment,
  newPrincipal,
  newRequest,
  noCeilings,
  offeredAgain,
  openTestOperations,
  query,
} from './operations.test-helper.ts'
import { createProjector } from './project.ts'
import { releaseTransfers } from './store/transfers.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
let db: Database
let one: ReturnType<typeof createInstance>
let other: ReturnType<typeof createInstance>

beforeAll(async () => {
  tables = await openTestOperations()
  db = tables.open()
  one = createInstance(tables.open())
  other = createInstance(tables.open())
})
afterAll(() => tables.close())

/** Noon of the day on which the tests start: keeps the test's clock far from midnight, at any time of day. */
const noonMs = Date.parse(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`)
const setTime = (sinceNoonMs: number) => {
  for (const { clock } of [one, other]) clock.setOffsetMs(noonMs + sinceNoonMs - Date.now())
}
beforeEach(() => setTime(0))

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const perDay = (amount: string) => ({ ...noCeilings, per_day: eur(amount) })
const kinds = ['transfer', 'mandate_transfer'] as const

/** Payments of one owner and client. Each payment has its own key. */
function newPayer(principal = newPrincipal()) {
  return (amount: string, over: Partial<Payment> = {}, more: Partial<AcceptRequest> = {}) =>
    newRequest({ principal, kind: 'transfer', payment: newPayment({ amount, ...over }), ...more })
}

const acceptEach = (requests: readonly AcceptRequest[]) =>
  Promise.all(requests.map((request, index) => (index % 2 ? one : other).accept(request)))

const codes = (results: readonly AcceptResult[]) =>
  results.map((result) => (result.type === 'refused' ? result.code : result.type))

const refusalOf = (result: AcceptResult) =>
  result.type === 'refused' && result.code === 'grant_ceiling_exceeded' ? result.detail : result.type

/** Lists the reserved days of the owner, for example `2026-11-20 EUR 12.5`. */
async function daysOf({ principal }: AcceptRequest): Promise<string[]> {
  const rows = await query<{ text: string }>(
    db,
    `SELECT concat_ws(' ', day, currency, trim_scale(reserved)) AS text FROM ceiling_days WHERE owner_id = $1 ORDER BY 1`,
    [principal.owner_id],
  )
  return rows.map(({ text }) => text)
}

const reservedOf = async (request: AcceptRequest) => (await daysOf(request)).map((text) => text.split(' ').at(-1))

async function expectOnlyTombstones(requests: readonly AcceptRequest[]): Promise<void> {
  const ids = [requests.map(({ operation_id }) => operation_id)]
  const decided = await query(db, 'SELECT accepted FROM decisions WHERE operation_id = ANY ($1::uuid[])', ids)
  expect(decided).toEqual(requests.map(() => ({ accepted: false })))
  const left = await query(
    db,
    `SELECT 1 FROM idempotency_keys WHERE operation_id = ANY ($1::uuid[])
    UNION ALL SELECT 1 FROM operations WHERE id = ANY ($1::uuid[])
    UNION ALL SELECT 1 FROM transfers WHERE operation_id = ANY ($1::uuid[])`,
    ids,
  )
  expect(left).toEqual([])
}

/** Moves the operation along `path`, as if the submitter and the reconciler had reported these moves. */
async function move(request: AcceptRequest, ...path: OperationState[]): Promise<void> {
  const log = createLog({ service: 'operations', level: 'silent' })
  const project = createProjector({ db, clock: one.clock, log, confirm: async () => {} })
  const states: OperationState[] = ['accepted', ...path]
  const moves = path.map((to, index) => {
    const row = transitions.find((each) => each.from === states[index] && each.to === to)
    if (!row) throw new Error(`no move leads from ${states[index]} to ${to}`)
    return moveOf(request, { from: row.from, event: row.event, to, by: row.by, sequence: index + 2 })
  })
  await project([{ transitions: moves }])
}

describe('the day of owner and client', () => {
  test('300 payments of both kinds at two instances at once come to the ceiling and not a cent more', async () => {
    const pay = newPayer()
    const requests = Array.from({ length: 300 }, (_, index) =>
      pay('0.5', { ceilings: perDay('100') }, { kind: kinds[index % 2 ? 0 : 1] }),
    )
    const results = await acceptEach(requests)
    expect(results.filter(({ type }) => type === 'accepted')).toHaveLength(200)
    expect(await reservedOf(requests[0] as AcceptRequest)).toEqual(['100'])
    await expectOnlyTombstones(requests.filter((_request, index) => results[index]?.type === 'refused'))
    const sums = await query(
      db,
      `SELECT o.kind, sum(t.amount)::float AS sum FROM transfers t JOIN operations o ON o.id = t.operation_id
      WHERE t.owner_id = $1 GROUP BY 1`,
      [requests[0]?.principal.owner_id],
    )
    expect(sums).toHaveLength(2)
  })

  test('a refusal states the exact remainder', async () => {
    const pay = newPayer()
    await one.accept(pay('99.999999999999999999', { ceilings: perDay('100.00') }))
    expect(refusalOf(await other.accept(pay('0.01', { ceilings: perDay('100.00') })))).toBe(
      'per_day: at most 100.00 EUR in a UTC day, of which 0.000000000000000001 EUR remain.',
    )
  })

  test('a new grant goes on with what the one before it spent', async () => {
    const principal = newPrincipal()
    await one.accept(newPayer(principal)('8', { ceilings: perDay('10') }))
    const renewed = newPayer({ ...principal, grant_id: newId() })
    expect(refusalOf(await one.accept(renewed('3', { ceilings: perDay('10') })))).toContain('of which 2.00 EUR remain')
    expect((await one.accept(renewed('2', { ceilings: perDay('10') }))).type).toBe('accepted')
  })

  test('another client of the owner, another owner and another currency have days of their own', async () => {
    const principal = newPrincipal()
    const ceilings = perDay('10')
    const dollars = { per_payment: null, per_day: { amount: '10', currency: 'USD' } }
    const results = await acceptEach([
      newPayer(principal)('10', { ceilings }),
      newPayer({ ...principal, client_id: 'client-two' })('10', { ceilings }),
      newPayer(newPrincipal())('10', { ceilings }),
      newPayer(principal)('10', { ceilings: dollars, currency: 'USD' }),
    ])
    expect(codes(results)).toEqual(Array(4).fill('accepted'))
  })

  test('a payment counts where the grant has no ceiling: one that is set later finds it', async () => {
    const pay = newPayer()
    await one.accept(pay('60'))
    expect(refusalOf(await one.accept(pay('1', { ceilings: perDay('50') })))).toContain('of which 0.00 EUR remain')
    expect((await one.accept(pay('40', { ceilings: perDay('100') }))).type).toBe('accepted')
  })

  test('a currency without a ceiling is refused where the grant has any, whatever the area let through', async () => {
    const pay = newPayer()
    expect(refusalOf(await one.accept(pay('1', { currency: 'GBP', ceilings: perDay('10') })))).toContain(
      'per_day is in EUR',
    )
  })

  test('it ends at midnight UTC, and what is given back goes to the day in which it was reserved', async () => {
    const pay = newPayer()
    const ceilings = perDay('10')
    setTime(43_200_000 - 600_000)
    const first = pay('10', { ceilings })
    await one.accept(first)
    setTime(43_200_000 + 600_000)
    const second = pay('10', { ceilings })
    expect((await one.accept(second)).type).toBe('accepted')
    await move(first, 'failed')
    const [before, after] = await daysOf(first)
    expect(before).toMatch(/ EUR 0$/)
    expect(after).toMatch(/ EUR 10$/)
    expect(refusalOf(await one.accept(pay('1', { ceilings })))).toContain('of which 0.00 EUR remain')
  })
})

describe('the key comes first', () => {
  test('of 50 equal requests one is accepted and reserved, and the others are replays', async () => {
    const request = newPayer()('6', { ceilings: perDay('10') })
    const results = await acceptEach([request, ...Array.from({ length: 49 }, () => offeredAgain(request))])
    expect(codes(results).toSorted()).toEqual(['accepted', ...Array<string>(49).fill('replayed')])
    expect(await reservedOf(request)).toEqual(['6'])
  })

  test('of 50 offers of one draft one is accepted and reserved', async () => {
    const request = newPayer()('6', { ceilings: perDay('10') })
    const results = await acceptEach(Array.from({ length: 50 }, () => request))
    expect(codes(results).toSorted()).toEqual(['accepted', ...Array<string>(49).fill('replayed')])
    expect(await reservedOf(request)).toEqual(['6'])
  })

  test('a replay is answered although the day is full', async () => {
    const request = newPayer()('10', { ceilings: perDay('10') })
    await one.accept(request)
    expect(await other.accept(offeredAgain(request))).toMatchObject({
      type: 'replayed',
      operation: { id: request.operation_id },
    })
  })

  test('a refused request uses neither its key nor its intent: once there is room it is accepted', async () => {
    const principal = newPrincipal()
    const [payment, ceilings] = [newPayment({ amount: '5', ceilings: perDay('10') }), perDay('10')]
    const blocking = newPayer(principal)('6', { ceilings })
    await one.accept(blocking)
    const confirmed = await newConfirmed(db, one.clock.now(), newRequest({ principal, kind: 'transfer', payment }))
    expect(refusalOf(await one.accept(confirmed))).toContain('of which 4.00 EUR remain')
    await expectOnlyTombstones([confirmed])
    expect(refusalOf(await one.accept(confirmed))).toContain('of which 4.00 EUR remain')
    await move(blocking, 'failed')
    expect((await one.accept(offeredAgain(confirmed))).type).toBe('accepted')
  })

  test('where the confirmation refuses, the day is not touched', async () => {
    const intent = { action: 'transfer', intent_id: newId() } as const
    const request = newPayer()('5', { ceilings: perDay('10') }, { confirmation: intent })
    expect(codes([await one.accept(request)])).toEqual(['confirmation_required'])
    expect(await daysOf(request)).toEqual([])
  })

  test('a payment that came to nothing beside others of its batch stands in nobody’s way', async () => {
    const pay = newPayer()
    const ceilings = perDay('10')
    const taken = pay('8', { ceilings })
    // The id is voided while it is offered, so the offer reserves nothing.
    await query(db, 'INSERT INTO decisions (operation_id, accepted, decided_at) VALUES ($1, false, now())', [
      taken.operation_id,
    ])
    const results = await Promise.all([taken, pay('9', { ceilings })].map((request) => one.accept(request)))
    expect(codes(results)).toEqual(['void', 'accepted'])
  })
})

describe('what is given back', () => {
  test.each([
    [['submitting', 'succeeded'], '5'],
    [['submitting', 'indeterminate'], '5'],
    [['submitting'], '5'],
    [['submitting', 'failed'], '0'],
    [['submitting', 'indeterminate', 'failed'], '0'],
  ] as const)('an operation that went %j leaves %s of 5 reserved', async (path, left) => {
    for (const kind of kinds) {
      const request = newPayer()('5', {}, { kind })
      await one.accept(request)
      await move(request, ...path)
      expect(await reservedOf(request)).toEqual([left])
      await move(request, ...path)
      expect(await reservedOf(request)).toEqual([left])
    }
  })

  test('it is given back once, although the view would be moved again', async () => {
    const pay = newPayer()
    const [failed, kept] = [pay('5'), pay('5')]
    await acceptEach([failed, kept])
    await move(failed, 'submitting', 'failed')
    await query(db, `UPDATE operations SET state = 'submitting', sequence = 2 WHERE id = $1`, [failed.operation_id])
    await move(failed, 'submitting', 'failed')
    expect(await reservedOf(kept)).toEqual(['5'])
  })

  test('a release that is repeated gives back once', async () => {
    const pay = newPayer()
    const [failed, kept] = [pay('5'), pay('5')]
    await acceptEach([failed, kept])
    const release = () =>
      db.transaction((tx) => releaseTransfers(tx, [{ id: failed.operation_id, state: 'failed' }], one.clock.now()))
    await release()
    await Promise.all([release(), release()])
    expect(await reservedOf(kept)).toEqual(['5'])
  })

  test('many that reserve and give back in many days at once never wait in a circle, and add up', async () => {
    const payers = Array.from({ length: 6 }, () => newPrincipal())
    const requests = Array.from({ length: 240 }, (_, index) =>
      newPayer(payers[(index * 5) % 6])('1', { currency: index % 2 ? 'EUR' : 'GBP' }),
    )
    await Promise.all(
      requests.map(async (request, index) => {
        await (index % 2 ? one : other).accept(request)
        if (index % 3) await move(request, 'failed')
      }),
    )
    const owners = payers.map(({ owner_id }) => owner_id)
    const days = await query<{ reserved: string; held: string }>(
      db,
      `SELECT trim_scale(reserved)::text AS reserved, (SELECT count(*)::text FROM transfers t
        WHERE (t.owner_id, t.client_id, t.currency, t.day) = (c.owner_id, c.client_id, c.currency, c.day)
          AND released_at IS NULL) AS held
      FROM ceiling_days c WHERE owner_id = ANY ($1)`,
      [owners],
    )
    for (const { reserved, held } of days) expect(reserved).toBe(held)
    expect(days.reduce((sum, { held }) => sum + Number(held), 0)).toBe(80)
  })
})

test('a kind that pays is not accepted without its payment, nor a payment with another kind', async () => {
  await expect(one.accept(newRequest({ kind: 'transfer', payment: null }))).rejects.toThrow('a kind that pays')
  await expect(one.accept(newRequest({ payment: newPayment() }))).rejects.toThrow('a kind that pays')
})

test('an accepted payment is kept with its operation, in the day of its acceptance', async () => {
  const payment = newPayment({
    amount: '12.5',
    rule: 'rent',
    reference_sealed: Buffer.from('sealed').toString('base64'),
  })
  const request = newRequest({ kind: 'mandate_transfer', mandate_id: newId(), payment })
  setTime(3 * dayMs)
  await one.accept(request)
  const rows = await query(
    db,
    `SELECT id, operation_id, mandate_id, beneficiary_id, amount::text AS amount, currency, rule,
      convert_from(reference_sealed, 'UTF8') AS reference, released_at, day::text AS day, created_at
    FROM transfers WHERE operation_id = $1`,
    [request.operation_id],
  )
  expect(rows).toEqual([
    {
      id: request.resource_id,
      operation_id: request.operation_id,
      mandate_id: request.mandate_id,
      beneficiary_id: payment.beneficiary_id,
      amount: '12.5',
      currency: 'EUR',
      rule: 'rent',
      reference: 'sealed',
      released_at: null,
      day: one.clock.now().toISOString().slice(0, 10),
      created_at: expect.any(Date),
    },
  ])
})
