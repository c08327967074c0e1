/** Checks of a read's result that several cases share. */

import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { ReadResult } from '@financial-agents/provider-port/port'
import type { z } from 'zod'

/** The data of a successful read. */
export function dataOf<Data>(result: ReadResult<Data>): Data {
  assert(result.type === 'ok', `not read: ${JSON.stringify(result)}`)
  return result.data
}

/** The data has the shape, in its one form. A failure names the places that differ, without their values. */
export function checkShape(shape: z.ZodType, data: unknown): void {
  const { error, data: inOneForm } = shape.safeParse(data)
  const where = error?.issues.map(({ path, code }) => `${path.join('.')} (${code})`) ?? []
  assert.equal(where.join(', '), '')
  assert(isDeepStrictEqual(data, inOneForm), 'a member that the port does not have, or a value in another form')
}

/** No value occurs twice. */
export function checkDistinct(values: readonly string[]): void {
  assert.equal(new Set(values).size, values.length, 'the same one more than once')
}

/** Times are newest first. Times in the API's form sort as text. */
export function checkNewestFirst(times: readonly string[]): void {
  const sorted = times.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))
  assert.deepEqual(times, sorted, 'not newest first')
}

/** The text repeats no value of `nothingOf`, except short ones and words of the API. */
export function checkSays(text: string, nothingOf: unknown): void {
  for (const value of leavesOf(nothingOf)) assert(!text.includes(value), 'it repeats what was answered')
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length < 6 || /^[a-z_]+$/.test(value) ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((part) => leavesOf(part)) : []
}
