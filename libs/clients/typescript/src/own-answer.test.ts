import type { Route } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { expect, test } from 'vitest'
import { table } from './generated/table.ts'
import { promisedOf } from './own-answer.ts'
import { rowOf } from './row.ts'

test('every method is promised what the contract says', () => {
  for (const text of Object.values(table).flatMap((methods) => Object.values<string>(methods))) {
    const row = rowOf(text)
    const { status, opens } =
      Object.values<Route>(routes).find(({ method, path }) => method === row.method && path === row.path) ?? {}
    expect([text, promisedOf(row).status ?? 200]).toEqual([text, status])
    if (row.keyed) expect([text, row.keyed]).toEqual([text, opens])
  }
})
