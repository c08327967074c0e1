import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
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

test.each(['', '\n', '{"key":"a","val', 'null', '[]', '{}', '7'])(
  'a file with the content %j is named, with what to do, and its write may have been accepted',
  async (content) => {
    const store = fileStore(folder)
    for (const [key, uncertain] of [
      ['https://api/app/owner/accepted/POST /v1/x/rent', true],
      ['https://api/app/owner/session', false],
    ] as const) {
      await store.set(key, 1)
      const [file = ''] = await readdir(folder)
      await writeFile(join(folder, file), content)
      await expect(store.get(key)).rejects.toMatchObject({
        code: 'store_damaged',
        submissionUncertain: uncertain,
        message: expect.stringMatching(uncertain ? /look in agent.operations.list\(\)/ : /sign in again/),
      })
      await expect(store.get(key)).rejects.toThrow(join(folder, file))
      await store.delete(key)
    }
  },
)
