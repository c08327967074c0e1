/**
 * The moves of mandates by their operations, with events in any order, and the fences that follow. Runs on real
 * PostgreSQL.
 */

import { randomUUIDv7 } from 'node:crypto'
import { statement } from '@financial-agents/postgres/database'
import { afterAll, expect, test } from 'vitest'
import { leaseFences, recordFenceConfirmed, recordFenceUnanswered } from './fence-store.ts'
import { idOf, refusalOf, startMandateWrites } from './writes.test-helper.ts'

const writes = await startMandateWrites()
afterAll(() => writes.close())

const stored = async (id: string) => {
  const query = statement(
    'test_stored',
    `SELECT state, suspend_operation_id AS suspend, revoke_operation_id AS revoke, reason AS fence
     FROM mandates m LEFT JOIN mandate_fences f ON f.mandate_id = m.id WHERE id = $1`,
  )
  const [row] = await writes.db.rows<Record<string, unknown>>(query, [id])
  return row
}
const suspend = (id: string) => writes.draft('mandate_suspend', id)
const revoke = (id: string) => writes.draft('mandate_revoke', id)

test('an outcome that comes before the acceptance is known says both', async () => {
  const id = await writes.mandate()
  const operation = await suspend(id)
  await writes.move(operation, 'succeeded')
  await writes.move(operation, 'accepted')
  expect(await stored(id)).toEqual({
    state: 'suspended',
    suspend: null,
    revoke: null,
    fence: 'mandate_suspend',
  })
})

test('a suspension that failed suspends and keeps the fence, also if the failure is the first that is heard of it', async () => {
  const [heard, unheard] = [await writes.mandate(), await writes.mandate()]
  const operation = await suspend(heard)
  await writes.move(operation, 'accepted')
  await writes.move(operation, 'failed')
  await writes.move(await suspend(unheard), 'failed')
  for (const id of [heard, unheard])
    expect(await stored(id)).toMatchObject({ state: 'suspended', suspend: null, fence: 'mandate_suspend' })
})

test('a draft marks the mandate and changes nothing that is seen; void, it frees it', async () => {
  const id = await writes.mandate()
  const operation = await suspend(id)
  expect(await stored(id)).toMatchObject({ state: 'active', suspend: operation, fence: null })
  idOf(await writes.transfer(id, '1'))
  await writes.move(operation, 'void')
  expect(await stored(id)).toMatchObject({ state: 'active', suspend: null, fence: null })
  await writes.move(await suspend(id), 'accepted')
  expect(await stored(id)).toMatchObject({ state: 'suspending', fence: 'mandate_suspend' })
})

test('a change that was void leaves updated_at as it was', async () => {
  const id = await writes.mandate()
  const before = await writes.read(id)
  for (const change of [suspend, revoke]) await writes.move(await change(id), 'void')
  expect(await writes.read(id)).toEqual(before)
})

test('a revocation is accepted while suspending, and the suspension then changes nothing', async () => {
  const id = await writes.mandate()
  const [first, second] = [await suspend(id), await revoke(id)]
  await writes.move(first, 'accepted')
  await writes.move(second, 'accepted')
  expect(await stored(id)).toMatchObject({
    state: 'revoking',
    suspend: first,
    revoke: second,
  })
  await writes.move(first, 'succeeded')
  expect(await stored(id)).toMatchObject({ state: 'revoking', suspend: null, fence: 'mandate_suspend' })
  await writes.move(second, 'failed')
  expect(await stored(id)).toMatchObject({ state: 'revocation_failed', revoke: null, fence: 'mandate_suspend' })
})

test('a fence is wanted once, and sent until the submitter has confirmed it', async () => {
  const id = await writes.mandate()
  const lease = async (aheadMs: number) => {
    const now = new Date(writes.clock.nowMs() + aheadMs)
    const leased = await leaseFences(writes.db, now, new Date(now.getTime() + 10_000), 100)
    return leased.find(({ mandate_id }) => mandate_id === id)
  }
  await writes.move(await suspend(id), 'failed')
  expect(await writes.read(id)).toMatchObject({ state: 'suspending' })
  const fence = { mandate_id: id, reason: 'mandate_suspend' }
  expect(await lease(0)).toEqual(fence)
  expect(await lease(0)).toBeUndefined()
  expect(await lease(10_001)).toEqual(fence)
  await recordFenceUnanswered(writes.db, id)
  expect(await lease(0)).toEqual(fence)
  await recordFenceConfirmed(writes.db, id)
  expect(await lease(60_000)).toBeUndefined()
  expect(await writes.read(id)).toMatchObject({ state: 'suspended' })
  await writes.move(await revoke(id), 'failed')
  expect(await stored(id)).toMatchObject({ state: 'revocation_failed', fence: 'mandate_suspend' })
  expect(await lease(60_000)).toBeUndefined()
})

test('drafts and news of every kind about many mandates at two replicas never wait for each other for ever', async () => {
  const mandates = await Promise.all(Array.from({ length: 6 }, () => writes.mandate({ payment_count: 5_000 })))
  const kinds = ['mandate_transfer', 'mandate_suspend', 'mandate_transfer', 'mandate_revoke'] as const
  for (let round = 0; round < 6; round += 1) {
    const taken = await Promise.all(
      Array.from({ length: 96 }, (_, index) => {
        const id = mandates[(index * 7 + round) % 6] as string
        const kind = kinds[(index >> 1) % 4] as (typeof kinds)[number]
        return kind === 'mandate_transfer' ? writes.transfer(id, '0.01') : writes.take(kind, id, null)
      }),
    )
    const ids = taken.filter((each) => refusalOf(each) === undefined).map(idOf)
    await Promise.all(ids.map((id, index) => writes.move(id, index % 3 === 0 ? 'void' : 'failed')))
  }
  for (const id of mandates) {
    expect(await writes.read(id)).toMatchObject({ remaining: { total: '100', payments: 5_000 } })
    expect(await stored(id)).toMatchObject({ suspend: null, revoke: null })
  }
})

test('news of an operation that the mandate does not wait for is ignored', async () => {
  const id = await writes.mandate()
  const operation = await suspend(id)
  const other = randomUUIDv7()
  const move = { operation_id: other, kind: 'mandate_suspend', resource_id: id, owner_id: '', client_id: '' } as const
  const news = {
    to: 'succeeded',
    was: 'accepted',
    at: new Date().toISOString(),
    upstream_reference: null,
    resource: null,
  } as const
  const replica = writes.replicas[0] as (typeof writes.replicas)[number]
  await writes.db.transaction((tx) => replica.follow(tx, [{ ...move, ...news }]))
  expect(await stored(id)).toMatchObject({ state: 'active', suspend: operation, fence: null })
})
