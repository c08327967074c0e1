/** The queries of the metrics: each figure is read within an index that holds the rows to count. */

import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { expectWithinIndex } from '@financial-agents/postgres/testing/explain'
import { draftsOutbox } from '@financial-agents/writes/store'
import { afterAll, test } from 'vitest'
import { unconfirmed } from './mandates/fence-store.ts'
import { migrations } from './migrations.ts'

const database = await createTestDatabase({ service: 'beneficiaries', migrations })
const db = database.open()
afterAll(() => database.close())

test.each([
  ['fences', unconfirmed, [], 'mandate_fences_unconfirmed'],
  ['drafts', draftsOutbox.statement, [], 'writes_to_check'],
])('%s are read within their index', (_name, figures, values, index) => expectWithinIndex(db, figures, values, index))
