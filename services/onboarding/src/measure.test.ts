/** The queries that metrics run at a scrape: each reads only an index that holds the rows it counts. */

import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { expectWithinIndex } from '@financial-agents/postgres/testing/explain'
import { afterAll, test } from 'vitest'
import { outboxes } from './announcements-store.ts'
import { migrations } from './migrations.ts'

const [announcements, fences] = outboxes.map((one) => one.statement)
if (!announcements || !fences) throw new Error('onboarding has two outboxes')

const database = await createTestDatabase({ service: 'onboarding', migrations })
const db = database.open()
afterAll(() => database.close())

test.each([
  ['announcements', announcements, [], 'announcements_to_announce'],
  ['fences', fences, [], 'announcements_'],
])('%s are read within their index', (_name, figures, values, index) => expectWithinIndex(db, figures, values, index))
