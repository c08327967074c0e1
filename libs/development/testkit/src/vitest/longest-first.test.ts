/** The long files come first, and the list names only files that exist. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../stack/programs.ts'
import { longestFirst, longFiles } from './longest-first.ts'

test('every long file exists, and is listed once', () => {
  expect(longFiles.filter((file) => !existsSync(join(root, file)))).toEqual([])
  expect(new Set(longFiles).size).toBe(longFiles.length)
})

test('long files come first, in the order of the list, and others keep their order', () => {
  const [first, second] = longFiles.map((file) => join(root, file))
  const files = ['/b.test.ts', second, '/a.test.ts', first].map((moduleId) => ({ moduleId: `${moduleId}` }))
  expect(longestFirst(files).map(({ moduleId }) => moduleId)).toEqual([first, second, '/b.test.ts', '/a.test.ts'])
})
