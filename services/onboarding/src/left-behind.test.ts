import { randomUUID } from 'node:crypto'
import { statement } from '@financial-agents/postgres/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endingOfOwner } from './left-behind.ts'
import { openTestParts } from './opened.test-helper.ts'

let parts: Awaited<ReturnType<typeof openTestParts>>
beforeAll(async () => {
  parts = await openTestParts()
})
afterAll(() => parts.close())

const insert = statement(
  'test_ending_binding',
  `INSERT INTO bindings (id, owner_id, provider, display_name, status, source, credentials_sealed, connected_at, updated_at,
     disconnecting_at, pending_operation_id)
   VALUES ($1, $2, 'fake', 'Fake', $3, 'sign_in', 'x', $4, $4, $4, $5)`,
)

test('an owner’s ending connection is found from its age on, and never another owner’s or one that does not end', async () => {
  const [owner, other, connected] = [randomUUID(), randomUUID(), randomUUID()]
  const at = parts.clock.now()
  const id = randomUUID()
  await parts.db.rows(insert, [id, owner, 'disconnecting', at, randomUUID()])
  await parts.db.rows(insert, [randomUUID(), other, 'disconnecting', at, randomUUID()])
  await parts.db.rows(insert, [randomUUID(), connected, 'connected', at, null])
  const idsOf = async (ownerId: string, before: Date) =>
    (await parts.db.rows<{ id: string }>(endingOfOwner, [ownerId, before])).map((row) => row.id)
  expect(await idsOf(owner, at)).toEqual([id])
  expect(await idsOf(owner, new Date(at.getTime() - 1))).toEqual([])
  expect(await idsOf(connected, at)).toEqual([])
})
