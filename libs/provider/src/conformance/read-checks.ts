/** What several cases of reads ask of a result. */

import assert from 'node:assert/strict'
import type { z } from 'zod'
import type { ReadResult } from '../port.ts'

/** What was read. */
export function dataOf<Data>(result: ReadResult<Data>): Data {
  assert(result.type === 'ok', `not read: ${JSON.stringify(result)}`)
  return result.data
}

/** In the shape, and nothing more; says where it is not, without what was there. */
export function checkShape(shape: z.ZodType, data: unknown): void {
  const { error } = shape.safeParse(data)
  const where = error?.issues.map(({ path, code }) => `${path.join('.')} (${code})`) ?? []
  assert.equal(where.join(', '), '')
}

/** No two of the same. */
export function checkDistinct(values: readonly string[]): void {
  assert.equal(new Set(values).size, values.length, 'the same one more than once')
}

/** Times of the API's form are in the order of their text. */
export function checkNewestFirst(times: readonly string[]): void {
  const sorted = times.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))
  assert.deepEqual(times, sorted, 'not newest first')
}

/** Nothing of what could be read, but for words that are the API's own. */
export function checkSays(text: string, nothingOf: unknown): void {
  for (const value of leavesOf(nothingOf)) assert(!text.includes(value), 'it repeats what was answered')
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length < 6 || /^[a-z_]+$/.test(value) ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((part) => leavesOf(part)) : []
}
