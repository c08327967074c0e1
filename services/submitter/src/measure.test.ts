/** The queries of the metrics. Each reads only rows that wait. */

import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { expectWithinIndex, explain } from '@financial-agents/postgres/testing/explain'
import { afterAll, expect, test } from 'vitest'
import { outboxes } from './measure.ts'
import { migrations } from './migrations.ts'

const [events, lateAnswers] = outboxes.map((one) => one.statement)
if (!events || !lateAnswers) throw new Error('the submitter has two outboxes')

const database = await createTestDatabase({ service: 'submitter', migrations })
const db = database.open()
afterAll(() => database.close())

test('late answers are read within their index', () =>
  expectWithinIndex(db, lateAnswers, [], 'submissions_rest_operation_id_idx'))

test('unconfirmed events are read from the outbox, and their submissions by their key', async () => {
  const plan = await explain(db, events, [])
  expect(plan.match(/Seq Scan on \w+/g)).toEqual(['Seq Scan on outbox'])
  expect(plan).toContain('submissions_rest_pkey')
  expect(await db.rows(events)).toEqual([{ pending: 0, oldest: null }])
})
