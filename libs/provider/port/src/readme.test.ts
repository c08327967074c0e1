/** The README has a row for every kind of operation and for every read of the port. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operationKinds } from '@financial-agents/contract/kinds'
import { expect, test } from 'vitest'
import { reads } from './conformance/read-table.ts'

const rows = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name))

test.each([...operationKinds, ...Object.keys(reads)])('%s has one row', (name) => {
  expect(rows.filter((row) => row === name)).toHaveLength(1)
})
