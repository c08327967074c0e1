/** The queries of the metrics: each figure is read within an index that holds the rows to count. */

import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { expectWithinIndex } from '@financial-agents/postgres/testing/explain'
import { afterAll, test } from 'vitest'
import { unresolvedFigures } from './measure.ts'
import { migrations } from './migrations.ts'

const database = await createTestDatabase({ service: 'operations', migrations })
const db = database.open()
afterAll(() => database.close())

test.each([['unresolved operations', unresolvedFigures, [], 'in_flight_pkey']])(
  '%s are read within their index',
  (_name, figures, values, index) => expectWithinIndex(db, figures, values, index, { whole: ['in_flight_batches'] }),
)
