/** The queries of the metrics. Each reads only an index that holds the rows that the query counts. */

import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { expectWithinIndex } from '@financial-agents/postgres/testing/explain'
import { afterAll, test } from 'vitest'
import { dueFigures, outbox, reviewFigures } from './measure.ts'
import { migrations } from './migrations.ts'

const database = await createTestDatabase({ service: 'reconciler', migrations })
const db = database.open()
afterAll(() => database.close())

test.each([
  ['unconfirmed transitions', outbox.statement, [], 'transitions_unconfirmed'],
  ['due reads', dueFigures, [new Date()], 'reconciliations_due'],
  ['reviews', reviewFigures, [], 'reconciliations_under_review'],
])('%s are read within their index', (_name, figures, values, index) => expectWithinIndex(db, figures, values, index))
