/** The queries of the metrics: each figure is read within an index that holds the rows to count. */

import { statement } from '@financial-agents/postgres/database'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { expectWithinIndex } from '@financial-agents/postgres/testing/explain'
import { afterAll, expect, test } from 'vitest'
import { pendingFigures } from './measure.ts'
import { migrations } from './migrations.ts'

const database = await createTestDatabase({ service: 'notifier', migrations })
const db = database.open()
afterAll(() => database.close())

test.each([['deliveries', pendingFigures, [], 'deliveries_due']])(
  '%s are read within their index',
  (_name, figures, values, index) => expectWithinIndex(db, figures, values, index),
)

test('pending are the deliveries that are still to be made', async () => {
  const text = `INSERT INTO deliveries (id, subscription_id, operation_id, sequence, host, event_type, body, status, attempts,
      next_attempt_at, created_at)
    SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 2, 'h', 'operation.failed', '{}', status, 1,
      CASE status WHEN 'pending' THEN now() END, now()
    FROM unnest('{pending,pending,delivered,failed}'::text[]) AS status`
  await db.rows(statement('', text))
  expect(await db.rows(pendingFigures)).toEqual([{ pending: 2 }])
})
