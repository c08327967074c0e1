import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cacheFolder, hashOf, keepFolder } from './cache.ts'

let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'financial-agents-cache-'))
  vi.stubEnv('XDG_CACHE_HOME', home)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(home, { recursive: true, force: true })
})

const write = (text: string) => (folder: string) => writeFile(join(folder, 'content'), text)
const entries = () => readdir(cacheFolder())

test('a folder is made once for its key', async () => {
  const folder = await keepFolder({ name: 'made', key: 'a' }, write('first'))
  expect(await keepFolder({ name: 'made', key: 'a' }, write('second'))).toBe(folder)
  expect(await readFile(join(folder, 'content'), 'utf8')).toBe('first')
  expect(await keepFolder({ name: 'made', key: 'b' }, write('other'))).not.toBe(folder)
})

test('several that need it at the same time get one whole folder, which one of them makes', async () => {
  let made = 0
  const make = async (folder: string) => {
    made += 1
    await write('whole')(folder)
  }
  const folders = await Promise.all([1, 2, 3, 4].map(() => keepFolder({ name: 'made', key: 'a' }, make)))
  expect(new Set(folders).size).toBe(1)
  expect(made).toBe(1)
  expect(await entries()).toEqual(['made-a'])
  expect(await readFile(join(folders[0] as string, 'content'), 'utf8')).toBe('whole')
})

test('another makes it if the first one fails or no longer runs', async () => {
  let other: Promise<string> | undefined
  const first = keepFolder({ name: 'made', key: 'a' }, () => {
    other = keepFolder({ name: 'made', key: 'a' }, write('whole'))
    return Promise.reject(new Error('no space'))
  })
  await expect(first).rejects.toThrow('no space')
  expect(await readFile(join((await other) as string, 'content'), 'utf8')).toBe('whole')
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  await writeFile(join(cacheFolder(), 'making-made-b'), String(pid))
  await keepFolder({ name: 'made', key: 'b' }, write('whole'))
  expect((await entries()).toSorted()).toEqual(['made-a', 'made-b'])
})

test('nothing is left of a folder that could not be made', async () => {
  const fail = () => Promise.reject(new Error('no space'))
  await expect(keepFolder({ name: 'made', key: 'a' }, fail)).rejects.toThrow('no space')
  expect(await entries()).toEqual([])
})

test('folders of the same name that were not used for two days are removed when another is made', async () => {
  const longAgo = new Date(Date.now() - 3 * 86_400_000)
  const [unused, used, other] = await Promise.all([
    keepFolder({ name: 'made', key: 'unused' }, write('')),
    keepFolder({ name: 'made', key: 'used' }, write('')),
    keepFolder({ name: 'other', key: 'unused' }, write('')),
  ])
  for (const folder of [unused, used, other]) await utimes(folder, longAgo, longAgo)
  await keepFolder({ name: 'made', key: 'used' }, write(''))
  await keepFolder({ name: 'made', key: 'new' }, write(''))
  expect([unused, used, other].map((folder) => existsSync(folder))).toEqual([false, true, true])
})

test('the twelve folders of a name that were used last are kept', async () => {
  const folders: string[] = []
  for (let hoursAgo = 14; hoursAgo > 0; hoursAgo -= 1) {
    const folder = await keepFolder({ name: 'many', key: String(hoursAgo) }, write(''))
    const at = new Date(Date.now() - hoursAgo * 3_600_000)
    await utimes(folder, at, at)
    folders.push(folder)
  }
  await keepFolder({ name: 'many', key: 'new' }, write(''))
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, false, false, ...Array(11).fill(true)])
})

test('a hash changes with a name, a content and a fact, and not with the order of the files', async () => {
  await Promise.all(['one', 'two'].map((name) => writeFile(join(home, name), name)))
  const hash = await hashOf(home, ['one', 'two'], ['fact'])
  expect(await hashOf(home, ['two', 'one'], ['fact'])).toBe(hash)
  expect(await hashOf(home, ['one'], ['fact'])).not.toBe(hash)
  expect(await hashOf(home, ['one', 'two'], ['other'])).not.toBe(hash)
  await writeFile(join(home, 'two'), 'changed')
  expect(await hashOf(home, ['one', 'two'], ['fact'])).not.toBe(hash)
})
