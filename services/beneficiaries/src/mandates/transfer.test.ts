/** Limits under concurrency, in every window and for every outcome, compared with independent counts. */

import { randomInt } from 'node:crypto'
import { statement } from '@financial-agents/postgres/database'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { idOf, refusalOf, startMandateWrites } from './writes.test-helper.ts'

const writes = await startMandateWrites()
afterAll(() => writes.close())
beforeEach(() => writes.clock.setOffsetMs(0))

const at = (time: string) => writes.clock.setOffsetMs(Date.parse(time) - Date.now())
const sums = async (mandateId: string) => {
  const [row] = await writes.db.rows<{ held: string; total: string; count: number; held_count: number }>(
    statement(
      'test_sums',
      `SELECT reserved_total::text AS total, reserved_count AS count,
         (SELECT coalesce(trim_scale(sum(amount)), 0)::text FROM mandate_reservations r
          WHERE r.mandate_id = m.id AND released_at IS NULL) AS held,
         (SELECT count(*)::int FROM mandate_reservations r WHERE r.mandate_id = m.id AND released_at IS NULL) AS held_count
       FROM mandates m WHERE id = $1`,
    ),
    [mandateId],
  )
  return row
}

test('500 concurrent transfers of 1 against a total of 100 at two replicas reserve exactly 100', async () => {
  const mandate = await writes.mandate()
  const taken = await Promise.all(Array.from({ length: 500 }, () => writes.transfer(mandate, '1')))
  expect(taken.filter((each) => refusalOf(each) === undefined)).toHaveLength(100)
  const codes = new Set(taken.map((each) => refusalOf(each)?.code))
  expect(codes).toEqual(new Set([undefined, 'mandate_not_active']))
  expect(await writes.read(mandate)).toMatchObject({ state: 'exhausted', remaining: { total: '0', payments: 9_900 } })
  expect(await sums(mandate)).toEqual({ held: '100', total: '100', count: 100, held_count: 100 })
})

test('500 concurrent transfers of 3 against a total of 100 leave the last unit, with a word on what remains', async () => {
  const mandate = await writes.mandate()
  const taken = await Promise.all(Array.from({ length: 500 }, () => writes.transfer(mandate, '3')))
  expect(taken.filter((each) => refusalOf(each) === undefined)).toHaveLength(33)
  const refusal = taken.map(refusalOf).find((each) => each)
  expect(refusal).toMatchObject({
    code: 'mandate_cap_exceeded',
    detail: 'daily_max: of 100.00 EUR, 1.00 EUR remain today.',
  })
})

test('transfers of many mandates at once, in any order, wait for each other and never fail', async () => {
  const mandates = await Promise.all(Array.from({ length: 8 }, () => writes.mandate()))
  const order = Array.from({ length: 400 }, (_, index) => mandates[(index * 5 + (index >> 3)) % 8] as string)
  const taken = await Promise.all(order.map((mandate) => writes.transfer(mandate, '1')))
  expect(taken.filter((each) => refusalOf(each) !== undefined)).toEqual([])
  for (const mandate of mandates) expect((await sums(mandate))?.count).toBe(50)
})

describe('every cap', () => {
  const wide = { per_payment_max: '10', daily_max: '20', weekly_max: '30', monthly_max: '40', total_cap: '50' }

  test('refuses what does not fit, names itself and what remains, and each window begins anew', async () => {
    at('2026-11-16T10:00:00Z')
    const mandate = await writes.mandate({ ...wide, payment_count: 6, expires_at: '2027-01-31T00:00:00.000Z' })
    const refused = async (amount: string) => refusalOf(await writes.transfer(mandate, amount))?.detail
    expect(await refused('10.000000000000000001')).toBe('per_payment_max: at most 10.00 EUR in one payment.')
    for (const amount of ['10', '9.5']) idOf(await writes.transfer(mandate, amount))
    expect(await refused('0.6')).toBe('daily_max: of 20.00 EUR, 0.50 EUR remain today.')
    at('2026-11-22T23:59:00Z')
    idOf(await writes.transfer(mandate, '10'))
    expect(await refused('0.51')).toBe('weekly_max: of 30.00 EUR, 0.50 EUR remain this week.')
    at('2026-11-23T00:00:00Z')
    expect((await writes.read(mandate))?.remaining).toEqual({
      daily: '20',
      weekly: '30',
      monthly: '10.5',
      total: '20.5',
      payments: 3,
    })
    idOf(await writes.transfer(mandate, '10'))
    expect(await refused('0.51')).toBe('monthly_max: of 40.00 EUR, 0.50 EUR remain this month.')
    at('2026-12-01T00:00:00Z')
    idOf(await writes.transfer(mandate, '10'))
    expect(await refused('0.51')).toBe('total_cap: of 50.00 EUR, 0.50 EUR remain in all.')
    idOf(await writes.transfer(mandate, '0.4'))
    expect((await writes.read(mandate))?.state).toBe('exhausted')
    expect(await refused('0.1')).toMatch(/exhausted/)
  })

  test('counts payments', async () => {
    const mandate = await writes.mandate({ payment_count: 2 })
    const [first] = [idOf(await writes.transfer(mandate, '1')), idOf(await writes.transfer(mandate, '1'))]
    expect(await writes.read(mandate)).toMatchObject({ state: 'exhausted', remaining: { payments: 0, total: '98' } })
    await writes.move(first, 'failed')
    expect(await writes.read(mandate)).toMatchObject({ state: 'active', remaining: { payments: 1, total: '99' } })
  })

  test('is exact to the last of eighteen digits', async () => {
    const least = '0.000000000000000001'
    const most = '999999999999999999.999999999999999999'
    const caps = { per_payment_max: most, daily_max: most, weekly_max: most, monthly_max: most, total_cap: most }
    const mandate = await writes.mandate(caps)
    idOf(await writes.transfer(mandate, '999999999999999999.999999999999999998'))
    expect((await writes.read(mandate))?.remaining.total).toBe(least)
    expect(refusalOf(await writes.transfer(mandate, '0.000000000000000002'))?.detail).toContain(`${least} EUR remain`)
    idOf(await writes.transfer(mandate, least))
    expect((await writes.read(mandate))?.remaining.total).toBe('0')
  })
})

describe('a reservation', () => {
  test.each(['void', 'failed', 'cancelled'] as const)('comes back once when its operation is %s', async (to) => {
    const mandate = await writes.mandate()
    const kept = idOf(await writes.transfer(mandate, '40'))
    const released = idOf(await writes.transfer(mandate, '60'))
    await writes.move(kept, 'accepted')
    if (to !== 'void') await writes.move(released, 'accepted')
    await Promise.all([writes.move(released, to), writes.move(released, to)])
    await writes.move(released, to)
    expect((await writes.read(mandate))?.remaining).toMatchObject({
      daily: '60',
      weekly: '60',
      total: '60',
      payments: 9_999,
    })
  })

  test('is given back once, also where a write that was void is reported as failed afterwards', async () => {
    const mandate = await writes.mandate()
    await writes.move(idOf(await writes.transfer(mandate, '40')), 'accepted')
    const released = idOf(await writes.transfer(mandate, '60'))
    await writes.move(released, 'void')
    await writes.move(released, 'failed')
    expect((await writes.read(mandate))?.remaining).toEqual({
      daily: '60',
      weekly: '60',
      monthly: '60',
      total: '60',
      payments: 9_999,
    })
    expect(await sums(mandate)).toEqual({ held: '40', total: '40', count: 1, held_count: 1 })
  })

  test('is held while its operation goes on and after it succeeded, whatever comes late', async () => {
    const mandate = await writes.mandate()
    const operation = idOf(await writes.transfer(mandate, '60'))
    await writes.move(operation, 'accepted')
    await writes.move(operation, 'succeeded')
    await writes.move(operation, 'failed')
    await writes.move(operation, 'void')
    expect((await writes.read(mandate))?.remaining.total).toBe('40')
  })

  test('is released in the windows in which it was made, not in those of the day', async () => {
    at('2026-12-31T23:00:00Z')
    const mandate = await writes.mandate({ expires_at: '2027-02-01T00:00:00.000Z', total_cap: '200' })
    const old = idOf(await writes.transfer(mandate, '60'))
    at('2027-01-01T01:00:00Z')
    // Still in the week of Monday, 28 December.
    idOf(await writes.transfer(mandate, '40'))
    await writes.move(old, 'failed')
    expect((await writes.read(mandate))?.remaining).toMatchObject({
      daily: '60',
      weekly: '60',
      monthly: '60',
      total: '160',
    })
    at('2026-12-31T23:30:00Z')
    expect((await writes.read(mandate))?.remaining).toMatchObject({ daily: '100', monthly: '100' })
  })

  test('of a write that never was goes with it', async () => {
    const mandate = await writes.mandate()
    const operation = idOf(await writes.transfer(mandate, '60'))
    await writes.move(operation, 'void')
    const move = { operation_id: operation, resource_id: mandate, to: 'gone', was: 'void' } as const
    const more = {
      kind: 'mandate_transfer',
      owner_id: '',
      client_id: '',
      at: '',
      upstream_reference: null,
      resource: null,
    } as const
    await writes.db.transaction((tx) =>
      (writes.replicas[0] as (typeof writes.replicas)[number]).follow(tx, [{ ...move, ...more }]),
    )
    const count = statement('test_count', 'SELECT 1 FROM mandate_reservations WHERE operation_id = $1')
    expect(await writes.db.rows(count, [operation])).toEqual([])
    expect((await writes.read(mandate))?.remaining.total).toBe('100')
  })
})

/** Adds the reservations up again each time, in whole millionths and whole hours since a Monday at midnight. */
class Oracle {
  static readonly start = '2026-12-21T00:00:00Z'
  static readonly caps = { per_payment_max: 60, daily_max: 500, weekly_max: 900, monthly_max: 1_500, total_cap: 2_500 }
  static readonly payments = 90
  readonly all: { id: string; units: bigint; hour: number; held: boolean; state: 'draft' | 'accepted' | 'ended' }[] = []

  static timeOf(hour: number): string {
    return new Date(Date.parse(Oracle.start) + hour * 3_600_000 + 1_000).toISOString()
  }

  spent(within: (hour: number) => boolean): bigint {
    return this.all.reduce((sum, { units, hour, held }) => (held && within(hour) ? sum + units : sum), 0n)
  }

  left(hour: number) {
    const month = (of: number) => Oracle.timeOf(of).slice(0, 7)
    const minus = (cap: number, spent: bigint) => BigInt(cap) * 1_000_000n - spent
    const { daily_max, weekly_max, monthly_max, total_cap } = Oracle.caps
    return {
      daily: minus(
        daily_max,
        this.spent((h) => Math.floor(h / 24) === Math.floor(hour / 24)),
      ),
      weekly: minus(
        weekly_max,
        this.spent((h) => Math.floor(h / 168) === Math.floor(hour / 168)),
      ),
      monthly: minus(
        monthly_max,
        this.spent((h) => month(h) === month(hour)),
      ),
      total: minus(
        total_cap,
        this.spent(() => true),
      ),
      payments: Oracle.payments - this.all.filter(({ held }) => held).length,
    }
  }

  fits(units: bigint, hour: number): boolean {
    const { payments, ...sums } = this.left(hour)
    const least = Object.values(sums).reduce((a, b) => (a < b ? a : b))
    return payments > 0 && units <= least && units <= BigInt(Oracle.caps.per_payment_max) * 1_000_000n
  }
}

const amountOf = (units: bigint) => `${units / 1_000_000n}.${(units % 1_000_000n).toString().padStart(6, '0')}`
const unitsOf = (decimal: string) => {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(6, '0'))
}

test('10,000 random moves at two replicas leave exactly what a count in whole units says', async () => {
  const caps = Object.fromEntries(Object.entries(Oracle.caps).map(([name, value]) => [name, `${value}`]))
  let moves = 0
  while (moves < 10_000) {
    const oracle = new Oracle()
    at(Oracle.start)
    const expires_at = '2027-06-01T00:00:00.000Z'
    const mandate = await writes.mandate({ ...caps, expires_at, payment_count: Oracle.payments })
    for (let hour = randomInt(0, 400), round = 0; round < 25; hour += randomInt(0, 30), round += 1) {
      at(Oracle.timeOf(hour))
      moves += (await reserveSome(oracle, mandate, hour)) + (await settleSome(oracle))
      const { daily, weekly, monthly, total, payments } = (await writes.read(mandate))?.remaining ?? never()
      const read = { daily: unitsOf(daily), weekly: unitsOf(weekly), monthly: unitsOf(monthly), total: unitsOf(total) }
      expect({ ...read, payments }).toEqual(oracle.left(hour))
    }
  }
})

/**
 * Reserves concurrently. Any order is legal: the accepted amounts fit together, and a refused one does not fit beside
 * them.
 */
async function reserveSome(oracle: Oracle, mandate: string, hour: number): Promise<number> {
  const units = Array.from({ length: 20 }, () => BigInt(randomInt(1, 65_000_000)))
  const taken = await Promise.all(units.map((each) => writes.transfer(mandate, amountOf(each))))
  for (const [index, each] of taken.entries()) {
    if (refusalOf(each) !== undefined) continue
    expect(oracle.fits(units[index] as bigint, hour)).toBe(true)
    oracle.all.push({ id: idOf(each), units: units[index] as bigint, hour, held: true, state: 'draft' })
  }
  for (const [index, each] of taken.entries())
    if (refusalOf(each) !== undefined) expect(oracle.fits(units[index] as bigint, hour)).toBe(false)
  return units.length
}

async function settleSome({ all }: Oracle): Promise<number> {
  const outcomes = ['void', 'accepted', 'failed', 'failed', 'cancelled', 'cancelled', 'succeeded'] as const
  const open = all.filter(({ state }) => state !== 'ended').filter(() => randomInt(0, 3) > 0)
  await Promise.all(
    open.map(async (each) => {
      const to = outcomes[randomInt(0, outcomes.length)] as (typeof outcomes)[number]
      await Promise.all([writes.move(each.id, to), writes.move(each.id, to)])
      if (to === 'accepted') each.state = 'accepted'
      // A result that arrives after the acceptance is known changes nothing.
      else if (to !== 'void' || each.state === 'draft')
        Object.assign(each, { state: 'ended', held: to === 'succeeded' })
    }),
  )
  return open.length
}

function never(): never {
  throw new Error('the mandate is gone')
}
