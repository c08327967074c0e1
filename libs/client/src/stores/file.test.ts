import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileStore } from './file.ts'

let folder: string
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'financial-agents-store-')), 'store')
})
afterEach(() => rm(join(folder, '..'), { recursive: true }))

test('what was set is there in another store of the same folder, and what was deleted is gone', async () => {
  await fileStore(folder).set('key', { a: [1, null] })
  expect(await fileStore(folder).get('key')).toEqual({ a: [1, null] })
  await fileStore(folder).delete('key')
  expect(await fileStore(folder).get('key')).toBeUndefined()
  await fileStore(folder).delete('key')
})

test('of many that create a key at once, one creates it, and all read its value', async () => {
  const stores = Array.from({ length: 30 }, () => fileStore(folder))
  const made = await Promise.all(stores.map((store, index) => store.set('key', index, { ifAbsent: true })))
  expect(made.filter(Boolean)).toHaveLength(1)
  expect(await fileStore(folder).get('key')).toBe(made.indexOf(true))
})

test('only this user reads the folder and its files, and nothing is left beside them', async () => {
  const store = fileStore(folder)
  await store.set('../../a key that is no file name', 'secret')
  await store.set('../../a key that is no file name', 'secret', { ifAbsent: true })
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  const files = await readdir(folder)
  expect(files).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)])
  expect((await stat(join(folder, files[0] as string))).mode & 0o777).toBe(0o600)
})
