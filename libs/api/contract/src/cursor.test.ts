import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type CursorScope, createCursors, toPage } from './cursor.ts'
import { Problem } from './problem.ts'

const cursors = createCursors(randomBytes(32))
const position = z.strictObject({ id: z.string() })
const scope: CursorScope = { list: 'cards', ownerId: 'owner', query: { limit: 2 } }
const cursor = cursors.write(scope, { id: 'one' })

function refusalOf(given: CursorScope, text: string) {
  try {
    cursors.read(given, position, text)
    return undefined
  } catch (error) {
    return error instanceof Problem ? [error.code, error.data.fields?.map((field) => field.path)] : error
  }
}

test('a cursor gives back its position, and no cursor gives none', () => {
  expect(cursors.read(scope, position, cursor)).toEqual({ id: 'one' })
  expect(cursors.read(scope, position, undefined)).toBeUndefined()
})

test('a cursor is bound to the query without the cursor itself and without absent members', () => {
  const same = { ...scope, query: { cursor, from: undefined, limit: 2 } }
  expect(cursors.read(same, position, cursor)).toEqual({ id: 'one' })
})

test.each<[string, CursorScope, string]>([
  ['changed', scope, `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}`],
  ['longer', scope, `${cursor}A`],
  ['empty', scope, ''],
  ['of another list', { ...scope, list: 'beneficiaries' }, cursor],
  ['of another owner', { ...scope, ownerId: 'other' }, cursor],
  ['of another query', { ...scope, query: { limit: 3 } }, cursor],
  ['of another key', scope, createCursors(randomBytes(32)).write(scope, { id: 'one' })],
  ['of another position', scope, cursors.write(scope, { at: 1 })],
])('a cursor that is %s is refused with its path', (_name, given, text) => {
  expect(refusalOf(given, text)).toEqual(['validation_failed', ['cursor']])
})

test('a page has a next cursor only if one item more than its limit was read', () => {
  expect(toPage([1, 2, 3], 2, String)).toEqual({ items: [1, 2], next_cursor: '2' })
  expect(toPage([1, 2], 2, String)).toEqual({ items: [1, 2], next_cursor: null })
  expect(toPage([], 2, String)).toEqual({ items: [], next_cursor: null })
})
