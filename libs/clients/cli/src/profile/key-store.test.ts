import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { foldersOf } from './config.ts'
import { type KeyStore, keyStore } from './key-store.ts'
import type { Keychain } from './keychain.ts'

const secret = { secret: true }
let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'financial-agents-keys-'))
})
afterEach(() => rm(home, { recursive: true }))

function memoryKeychain(): Keychain & { secrets: Map<string, string> } {
  const secrets = new Map<string, string>()
  return {
    secrets,
    get: (name) => secrets.get(name),
    set: (name, value) => void secrets.set(name, value),
    delete: (name) => void secrets.delete(name),
  }
}

const folders = () => foldersOf(home, 'default')
const storeWith = (keychain?: Keychain): KeyStore => keyStore(folders(), async () => keychain)

/** Everything on the disk, and every file's mode. */
async function onDisk(): Promise<{ text: string; modes: number[] }> {
  const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name))
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
  return {
    text: texts.join('\n'),
    modes: await Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o777)),
  }
}

test('without a keychain, keys are files that only this user can read', async () => {
  const store = storeWith()
  await store.set('session', { token: 'a-token' }, secret)
  expect(await store.get('session')).toEqual({ token: 'a-token' })
  expect(await store.place()).toBe('file')
  expect(new Set((await onDisk()).modes)).toEqual(new Set([0o600]))
  expect((await stat(folders().keys)).mode & 0o777).toBe(0o700)
})

test('with a keychain, no file has a secret, and another process opens them', async () => {
  const keychain = memoryKeychain()
  await storeWith(keychain).set('session', { token: 'a-token' }, secret)
  expect((await onDisk()).text).not.toContain('a-token')
  expect(await storeWith(keychain).get('session')).toEqual({ token: 'a-token' })
  expect(await storeWith(keychain).place()).toBe('keychain')
  expect(keychain.secrets.size).toBe(1)
})

test('two processes that begin at once agree on one sealing key and one value', async () => {
  const keychain = memoryKeychain()
  const [one, two] = [storeWith(keychain), storeWith(keychain)]
  const set = await Promise.all([
    one.set('dpop-key', 'one', { ifAbsent: true, secret: true }),
    two.set('dpop-key', 'two', { ifAbsent: true, secret: true }),
  ])
  expect(set.filter(Boolean)).toHaveLength(1)
  expect(await one.get('dpop-key')).toBe(await two.get('dpop-key'))
  expect(keychain.secrets.size).toBe(1)
})

test('a sealed value does not stand in for another', async () => {
  const keychain = memoryKeychain()
  const store = storeWith(keychain)
  await store.set('one', 1, secret)
  await store.set('two', 2, secret)
  const files = await readdir(folders().keys)
  const paths = files.map((file) => join(folders().keys, file))
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')))
  const [one, two] = ['one', 'two'].map((name) => texts.findIndex((text) => text.includes(`"key":"${name}"`)))
  const { writeFile } = await import('node:fs/promises')
  await writeFile(paths[one ?? 0] ?? '', texts[two ?? 0] ?? '')
  await expect(store.get('one')).rejects.toThrow()
})

test('a keychain that is gone is an error that says what to do; a sign-out gives up the keys and keeps the writes', async () => {
  const keychain = memoryKeychain()
  const store = storeWith(keychain)
  await store.set('session', { token: 'a-token' }, secret)
  await store.set('accepted/rent', { operationId: 'op' })
  keychain.secrets.clear()
  await expect(store.get('session')).rejects.toMatchObject({
    code: 'keychain_unavailable',
    message: expect.stringContaining('financial-agents logout'),
  })
  await expect(storeWith().get('session')).rejects.toMatchObject({ code: 'keychain_unavailable' })
  await store.forget()
  expect(await store.get('session')).toBeUndefined()
  expect(await store.get('accepted/rent')).toEqual({ operationId: 'op' })
  expect(await store.place()).toBeUndefined()
})
