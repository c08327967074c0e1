/** The queries that metrics run at a scrape: each reads only an index that holds the rows it counts. */

import { statement } from '@financial-agents/postgres/database'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { expectWithinIndex } from '@financial-agents/postgres/testing/explain'
import { afterAll, expect, test } from 'vitest'
import { grantFigures, unconfirmedFences } from './measure.ts'
import { migrations } from './migrations.ts'

const database = await createTestDatabase({ service: 'authz', migrations })
const db = database.open()
afterAll(() => database.close())

test.each([
  ['grants', grantFigures, [], 'grants_newest'],
  ['fences', unconfirmedFences, [], 'fences_unconfirmed'],
])('%s are read within their index', (_name, figures, values, index) => expectWithinIndex(db, figures, values, index))

test('grants are counted by their status, and fences are those that nobody has confirmed', async () => {
  for (const text of [
    `INSERT INTO clients (client_id, profile, status, registration, created_at, updated_at)
     VALUES ('app', 'spa', 'active', '{}', now(), now())`,
    `INSERT INTO grants (grant_id, client_id, kind, owner_id, subject, scopes, policy, expires_at, status, created_at,
       updated_at, status_changed_at)
     SELECT gen_random_uuid(), 'app', 'human', gen_random_uuid(), 's', '{}', '{}', now(), status, now(), now(), now()
     FROM unnest('{active,active,active,suspended,revoked,revoked}'::text[]) AS status`,
    `INSERT INTO fences (target, target_id, fenced, reason, version, confirmed_version)
     VALUES ('grant', 'asked', true, 'test', 2, 1), ('grant', 'confirmed', true, 'test', 2, 2)`,
  ])
    await db.rows(statement('', text))
  expect(await db.rows(grantFigures)).toEqual([
    { name: 'active', grants: 3 },
    { name: 'suspended', grants: 1 },
  ])
  expect(await db.rows(unconfirmedFences)).toEqual([{ key: 'grant:asked:2' }])
})
