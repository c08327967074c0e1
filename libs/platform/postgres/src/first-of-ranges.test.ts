import { afterAll, beforeAll, expect, test } from 'vitest'
import { statement } from './database.ts'
import { firstOfRanges } from './first-of-ranges.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'

let tables: TestDatabase

beforeAll(async () => {
  tables = await createTestDatabase({ service: 'first_of_ranges', migrations: {} })
})
afterAll(() => tables.close())

test('ranges are not collected whole, and the connection keeps its settings', async () => {
  const db = tables.open(1)
  const shown = statement('', `SELECT current_setting('enable_bitmapscan') AS collecting, $1::integer AS given`)
  expect(await firstOfRanges(db, shown, [7])).toEqual([{ collecting: 'off', given: 7 }])
  expect(await db.rows(shown, [8])).toEqual([{ collecting: 'on', given: 8 }])
})

test('a failing statement rejects, and the connection keeps its settings', async () => {
  const db = tables.open(1)
  await expect(firstOfRanges(db, statement('', 'SELECT 1 / $1::integer'), [0])).rejects.toThrow('division by zero')
  const shown = statement('', `SELECT current_setting('enable_bitmapscan') AS collecting`)
  expect(await db.rows(shown)).toEqual([{ collecting: 'on' }])
})
