/** What metrics ask of the database when somebody scrapes: each figure within an index that holds what it counts. */

import { createTestDatabase } from '@financial-agents/testkit/database'
import { explain } from '@financial-agents/testkit/explain'
import { afterAll, expect, test } from 'vitest'
import { dueFigures, outbox, reviewFigures } from './measure.ts'
import { migrations } from './migrations.ts'

const database = await createTestDatabase({ service: 'reconciler', migrations })
const db = database.open()
afterAll(() => database.close())

test.each([
  ['unconfirmed transitions', outbox.statement, [], 'transitions_unconfirmed'],
  ['due reads', dueFigures, [new Date()], 'reconciliations_due'],
  ['reviews', reviewFigures, [], 'reconciliations_under_review'],
])('%s are read within their index', async (_name, figures, values, index) => {
  const plan = await explain(db, figures, values)
  expect(plan).toContain(index)
  expect(plan).not.toContain('Seq Scan')
  await db.rows(figures, values)
})
