import { randomUUID } from 'node:crypto'
import { statement } from '@financial-agents/postgres/database'
import { createClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { createTestDatabase } from '@financial-agents/testkit/database'
import type { Draft } from '@financial-agents/writes/write'
import { createWrites } from '@financial-agents/writes/writes'
import { BigNumber } from 'bignumber.js'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { migrations } from './migrations.ts'
import { transfer, type WithdrawalInput } from './withdrawal-writes.ts'

const database = await createTestDatabase({ service: 'spending', migrations })
const dbs = [database.open(), database.open()] as const
const [db] = dbs
afterAll(() => database.close())

const clock = createClock()
/** Far from midnight, whenever the test runs. */
const toNoonMs = Date.parse(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`) - Date.now()
clock.setOffsetMs(toNoonMs)
const replicas = dbs.map((each) =>
  createWrites({
    bus: undefined as never,
    db: each,
    clock,
    log: createLog({ service: 'spending', level: 'silent' }),
    kinds: [transfer],
    durable: 'none',
    draftDecideAfterMs: 10_000,
    pendingPullAfterMs: 10_000,
    sweepPauseMs: 10_000,
  }),
)
const replicaOf = (index: number) => replicas[index % replicas.length] as (typeof replicas)[number]

function draftOf(input: WithdrawalInput): Draft<WithdrawalInput> {
  return {
    operation_id: randomUUID(),
    kind: 'transfer',
    resource_id: randomUUID(),
    owner_id: 'owner',
    client_id: 'client',
    route: transfer.route,
    idempotency_key: randomUUID(),
    request_hash: 'hash',
    input,
  }
}

async function reservedOf(grantIds: readonly string[]): Promise<Record<string, string>> {
  const rows = await db.rows<{ name: string; reserved: string }>(
    statement(
      'test_days',
      `SELECT concat_ws(' ', grant_id, day, currency) AS name, trim_scale(reserved)::text AS reserved
       FROM grant_days WHERE grant_id = ANY($1) AND reserved > 0`,
    ),
    [grantIds],
  )
  return Object.fromEntries(rows.map(({ name, reserved }) => [name, reserved]))
}

/** By hand, of the last thing that was heard: whether the amount counts. */
const counts: Record<string, boolean> = {
  draft: true,
  accepted: true,
  void: false,
  succeeded: true,
  failed: false,
  cancelled: false,
}

type Kept = { operationId: string; place: string; amount: BigNumber; heard: string; sequence: number }

const outcomes = ['accepted', 'succeeded', 'failed', 'cancelled', 'void'] as const
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('draft' as const),
      grant: fc.nat(1),
      currency: fc.constantFrom('EUR', 'GBP'),
      cents: fc.integer({ min: 1, max: 6_000 }),
      /** In one go, as a batch. */
      copies: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('move' as const),
      which: fc.nat(),
      to: fc.constantFrom(...outcomes),
      twice: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('midnight' as const) }) },
)

test('over random drafts, outcomes, repetitions and midnights the days hold what a reckoning by hand holds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const grants = [randomUUID(), randomUUID()] as const
      const kept: Kept[] = []
      let days = 0
      const dayNow = () => clock.now().toISOString().slice(0, 10)
      const heldIn = (place: string) =>
        BigNumber.sum(
          0,
          ...kept.filter((each) => each.place === place && counts[each.heard]).map(({ amount }) => amount),
        )
      for (const [index, each] of steps.entries()) {
        if (each.type === 'midnight') {
          days += 1
          clock.setOffsetMs(toNoonMs + days * 86_400_000)
        } else if (each.type === 'draft') {
          const grant_id = grants[each.grant] as string
          const amount = new BigNumber(each.cents).div(100)
          const place = `${grant_id} ${dayNow()} ${each.currency}`
          const per_day = { amount: '100', currency: each.currency }
          const input = {
            grant_id,
            beneficiary_id: randomUUID(),
            amount: amount.toFixed(),
            currency: each.currency,
            per_day,
          }
          const left = BigNumber.max(0, new BigNumber(100).minus(heldIn(place)))
          const fits = Math.min(each.copies, left.div(amount).integerValue(BigNumber.ROUND_FLOOR).toNumber())
          const taken = await Promise.all(
            Array.from({ length: each.copies }, (_, copy) => replicaOf(index + copy).take(draftOf(input))),
          )
          const won = taken.flatMap((one) => (one && !('refused' in one) ? [one.operation_id] : []))
          expect(won).toHaveLength(fits)
          for (const operationId of won) kept.push({ operationId, place, amount, heard: 'draft', sequence: 1 })
        } else {
          const one = kept[each.which % kept.length]
          if (one)
            await Promise.all(Array.from({ length: each.twice ? 2 : 1 }, (_, copy) => moveOne(one, each.to, copy)))
        }
        const wanted = new Map(kept.map(({ place }) => [place, heldIn(place).toFixed()]))
        expect(await reservedOf(grants)).toEqual(Object.fromEntries([...wanted].filter(([, held]) => held !== '0')))
      }
      clock.setOffsetMs(toNoonMs)
    }),
    { numRuns: 25 },
  )
})

/** Through the library, as a verdict or an event would; the reckoning hears it once. */
async function moveOne(one: Kept, to: (typeof outcomes)[number], copy: number): Promise<void> {
  const writes = replicaOf(copy)
  const { heard } = one
  const isOver = ['succeeded', 'failed', 'cancelled'].includes(heard)
  if (to === 'accepted' || to === 'void') {
    if (heard === 'draft') one.heard = to
    if (to !== 'void' || copy === 0) await writes.settle(one.operationId, to)
    return
  }
  if (!isOver) {
    one.heard = to
    one.sequence += 1
  }
  const news = {
    outcome: one.heard as typeof to,
    at: clock.now().toISOString(),
    upstream_reference: null,
    resource: null,
  }
  if (!isOver || one.heard === to)
    await writes.advance([{ operation_id: one.operationId, sequence: one.sequence, ...news }])
}

test('what is uncertain stays reserved: an operation that goes on lets nothing go', async () => {
  const grant_id = randomUUID()
  const input = { grant_id, beneficiary_id: randomUUID(), amount: '5', currency: 'EUR', per_day: null }
  const draft = draftOf(input)
  await replicaOf(0).take(draft)
  const news = { operation_id: draft.operation_id, outcome: null, at: clock.now().toISOString() }
  for (const sequence of [2, 3, 4])
    await replicaOf(sequence).advance([{ ...news, sequence, upstream_reference: null, resource: null }])
  expect(Object.values(await reservedOf([grant_id]))).toEqual(['5'])
})

test('a void withdrawal is removed in time, and with it no reservation of another', async () => {
  const grant_id = randomUUID()
  const input = { grant_id, beneficiary_id: randomUUID(), amount: '5', currency: 'EUR', per_day: null }
  const [voided, other] = [draftOf(input), draftOf(input)]
  await Promise.all([replicaOf(0).take(voided), replicaOf(1).take(other)])
  await replicaOf(0).settle(voided.operation_id, 'void')
  const { kind, operation_id, resource_id, owner_id, client_id } = voided
  const gone = { kind, operation_id, resource_id, owner_id, client_id, to: 'gone', was: 'void' } as const
  await db.transaction((tx) =>
    replicaOf(0).follow(tx, [{ ...gone, at: clock.now().toISOString(), upstream_reference: null, resource: null }]),
  )
  expect(Object.values(await reservedOf([grant_id]))).toEqual(['5'])
  const left = await db.rows(statement('test_left', 'SELECT 1 FROM withdrawals WHERE grant_id = $1'), [grant_id])
  expect(left).toHaveLength(1)
})

test('batches that reserve and let go in many days at once never wait for each other in a circle', async () => {
  const grants = Array.from({ length: 12 }, () => randomUUID())
  const drafts = Array.from({ length: 240 }, (_, index) =>
    draftOf({
      grant_id: grants[(index * 7) % 12] as string,
      beneficiary_id: randomUUID(),
      amount: '1',
      currency: index % 2 ? 'EUR' : 'GBP',
      per_day: null,
    }),
  )
  await Promise.all(
    drafts.map(async (draft, index) => {
      await replicaOf(index).take(draft)
      if (index % 3) await replicaOf(index + 1).settle(draft.operation_id, 'void')
    }),
  )
  const sums = Object.values(await reservedOf(grants)).map(Number)
  expect(sums.reduce((sum, each) => sum + each, 0)).toBe(80)
})
