/** The README has a row for every kind of operation. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operationKinds } from '@financial-agents/contract/kinds'
import { expect, test } from 'vitest'

const rows = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name))

test.each(operationKinds)('%s has one row', (name) => {
  expect(rows.filter((row) => row === name)).toHaveLength(1)
})
