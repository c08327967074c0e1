import { randomUUID } from 'node:crypto'
import { statement } from '@financial-agents/postgres/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listToFenceOf } from '../announcements-store.ts'
import { registeredAway } from '../known-end.ts'
import { openTestParts } from '../opened.test-helper.ts'
import { repeatEnd } from './repeat-end.ts'

let parts: Awaited<ReturnType<typeof openTestParts>>
beforeAll(async () => {
  parts = await openTestParts()
})
afterAll(() => parts.close())

const insert = statement(
  'test_connected_binding',
  `INSERT INTO bindings (id, owner_id, provider, display_name, status, source, credentials_sealed, connected_at, updated_at)
   VALUES ($1, $2, 'fake', 'Fake', 'connected', 'declared', 'x', $3, $3)`,
)

test.each([
  ['its owner ended the connection', true],
  [registeredAway, false],
] as const)('a connection that had ended because %s ends again, once, with its fence', async (reason, by_owner) => {
  const id = randomUUID()
  await parts.db.rows(insert, [id, randomUUID(), parts.clock.now()])
  let announced = 0
  const repeat = repeatEnd({ ...parts, announceNow: () => (announced += 1) })
  expect(await repeat({ target_id: id, reason })).toBe(true)
  expect(await repeat({ target_id: id, reason })).toBe(false)
  expect(await repeat({ target_id: randomUUID(), reason })).toBe(false)
  expect(announced).toBe(1)
  const read = statement('', 'SELECT status FROM bindings WHERE id = $1')
  expect(await parts.db.rows(read, [id])).toEqual([{ status: 'disconnected' }])
  expect(await listToFenceOf(parts.db, id)).toMatchObject([{ binding_id: id, by_owner }])
})
