/**
 * The schema changes under a running release: rows of the previous release are kept, and its writes are still accepted.
 */

import { statement } from '@financial-agents/postgres/database'
import { migrate } from '@financial-agents/postgres/migrate'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { createClock } from '@financial-agents/runtime/clock'
import { expect, test } from 'vitest'
import { init } from './migrations/0001_init.ts'
import { migrations } from './migrations.ts'
import { listKeyTimes, stageOf } from './store/signing-keys.ts'

const grantOf = (last: string) =>
  `INSERT INTO grants (grant_id, client_id, kind, owner_id, subject, scopes, status, created_at, updated_at)
   VALUES ('01980000-0000-7000-8000-00000000000${last}', '${last}', 'service', gen_random_uuid(), 's', '{}', 'active', $1, $1)`

/** The writes of the first release, one client for each round. */
const before = (round: string) => [
  `INSERT INTO clients VALUES ('${round}', 'service', 'active', '{"scopes":[]}', $1, $1)`,
  grantOf(round),
  `INSERT INTO signing_keys (kid, private_jwk_sealed, created_at) VALUES ('key-${round}', '', $1)`,
  `INSERT INTO audit (at, event, client_id, grant_id, detail) VALUES ($1, 'token_issued', '${round}', NULL, '{}')`,
]

test('rows of the first release are kept, and its statements still work on the next schema', async () => {
  const database = await createTestDatabase({ service: 'authz', migrations: { '0001_init': init } })
  const { connectionString, schema } = database
  const db = database.open()
  const now = createClock().now()
  const write = async (round: string) => {
    for (const [index, text] of before(round).entries()) await db.rows(statement(`${round}_${index}`, text), [now])
  }
  await write('1')
  const done = await migrate({ connectionString, schema, migrations })
  expect(done).toEqual(Object.keys(migrations).slice(1))
  expect(await migrate({ connectionString, schema, migrations })).toEqual([])
  await write('2')
  const grants = await db.rows(statement('grants', 'SELECT status, openid, expires_at FROM grants'))
  const kept = { status: 'active', openid: false, expires_at: null }
  expect(grants).toEqual([kept, kept])
  const keys = await listKeyTimes(db)
  expect(keys.map((key) => key.signs_from)).toEqual([now, now])
  expect(keys.map((key) => stageOf(key, keys, now)).toSorted()).toEqual(['retired', 'signing'])
  expect(await db.rows(statement('audit', 'SELECT event, actor FROM audit'))).toHaveLength(2)
  await database.close()
})
