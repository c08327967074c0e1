import { statement } from '@financial-agents/postgres/database'
import { afterAll, expect, test } from 'vitest'
import { listToAnnounce, listToFence } from './announcements-store.ts'
import { applyBindings } from './apply.ts'
import { listCurrentBindings, listSealedCredentials } from './bindings-store.ts'
import { declare, openTestParts } from './opened.test-helper.ts'

const parts = await openTestParts()
afterAll(() => parts.close())

const apply = (...declared: ReturnType<typeof declare>[]) => applyBindings(parts, declared)
const current = async (owner_id: string) => (await listCurrentBindings(parts.db, [owner_id]))[0]

test('applying the same twice changes nothing and announces nothing the second time', async () => {
  const one = declare()
  expect(await apply(one)).toContainEqual({ owner_id: one.owner_id, change: 'connected' })
  const before = await listToAnnounce(parts.db, 1_000)
  const bound = await current(one.owner_id)
  expect(await apply(one)).toEqual([{ owner_id: one.owner_id, change: 'unchanged' }])
  expect(await listToAnnounce(parts.db, 1_000)).toEqual(before)
  expect(await current(one.owner_id)).toEqual(bound)
})

test('a removed owner is disconnected, fenced and announced, and connecting again makes a new binding', async () => {
  const one = declare()
  await apply(one)
  const first = await current(one.owner_id)
  await apply()
  expect(await current(one.owner_id)).toEqual({ ...first, status: 'disconnected' })
  const fences = await listToFence(parts.db, 1_000)
  expect(fences.filter((row) => row.binding_id === first?.binding_id)).toHaveLength(1)

  await apply(one)
  const second = await current(one.owner_id)
  expect(second?.status).toBe('connected')
  expect(second?.binding_id).not.toBe(first?.binding_id)
  const later = await listToFence(parts.db, 1_000)
  expect(later.some((row) => row.binding_id === second?.binding_id)).toBe(false)
  const announced = await listToAnnounce(parts.db, 1_000)
  expect(announced.filter((row) => row.owner_id === one.owner_id)).toHaveLength(3)
})

test('credentials are sealed for their binding, replaced in place, and stay after a disconnect for the reads to come', async () => {
  const one = declare({ credentials: 'test-user-old' })
  await apply(one)
  const binding_id = (await current(one.owner_id))?.binding_id ?? ''
  const opened = async () => {
    const [row] = await listSealedCredentials(parts.db, [binding_id])
    return parts.sealer.open(Buffer.from(row?.credentials_sealed ?? '', 'base64'), binding_id).toString()
  }
  expect(await opened()).toBe('test-user-old')
  expect(await apply({ ...one, credentials: 'test-user-new' })).toEqual([{ owner_id: one.owner_id, change: 'updated' }])
  expect(await opened()).toBe('test-user-new')
  await apply()
  expect(await opened()).toBe('test-user-new')
  const stored = await parts.db.rows(
    statement(
      'test_stored',
      `SELECT FROM bindings WHERE bindings::text LIKE '%' || encode('test-user-new', 'hex') || '%'`,
    ),
  )
  expect(stored).toEqual([])
})

test('another provider is another binding: the old one is fenced', async () => {
  const one = declare()
  await apply(one)
  const first = await current(one.owner_id)
  await apply({ ...one, provider: 'other' })
  expect((await current(one.owner_id))?.binding_id).not.toBe(first?.binding_id)
  expect((await listToFence(parts.db, 1_000)).map((row) => row.binding_id)).toContain(first?.binding_id)
})

test('a connection that its owner is ending is not brought back by the file', async () => {
  const one = declare()
  await apply(one)
  await parts.db.rows(
    statement(
      'test_disconnecting',
      `UPDATE bindings SET status = 'disconnecting', pending_operation_id = gen_random_uuid(), disconnecting_at = now()
       WHERE owner_id = $1`,
    ),
    [one.owner_id],
  )
  expect(await apply(one)).toEqual([{ owner_id: one.owner_id, change: 'disconnecting' }])
  await apply()
  expect((await current(one.owner_id))?.status).toBe('disconnecting')
})

test('two commands at the same time connect an owner once', async () => {
  const one = declare()
  const changes = (await Promise.all([apply(one), apply(one), apply(one)])).flat()
  expect(changes.filter((change) => change.owner_id === one.owner_id && change.change === 'connected')).toHaveLength(1)
})

test('an id that is no UUID is unknown, not an error', async () => {
  expect(await listCurrentBindings(parts.db, ['someone', "'; DROP TABLE bindings"])).toEqual([])
  expect(await listSealedCredentials(parts.db, ['\u0000'])).toEqual([])
})
