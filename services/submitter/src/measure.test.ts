/** The queries of the metrics. Each reads only an index that holds the rows that the query counts. */

import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { expectWithinIndex } from '@financial-agents/postgres/testing/explain'
import { afterAll, test } from 'vitest'
import { outboxes } from './measure.ts'
import { migrations } from './migrations.ts'

const [events, lateAnswers] = outboxes.map((one) => one.statement)
if (!events || !lateAnswers) throw new Error('the submitter has two outboxes')

const database = await createTestDatabase({ service: 'submitter', migrations })
const db = database.open()
afterAll(() => database.close())

test.each([
  ['unconfirmed events', events, [], 'submissions_due'],
  ['late answers', lateAnswers, [], 'submissions_late'],
])('%s are read within their index', (_name, figures, values, index) => expectWithinIndex(db, figures, values, index))
