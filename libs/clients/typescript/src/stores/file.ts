/**
 * A store in a folder of this machine: one file (0600) for each key. A file is written beside its place, flushed, and moved there
 * in one step. A crash leaves the old value or the new one, and two processes never both create a key.
 */

import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ClientError } from '../client-error.ts'
import type { Store } from '../store.ts'

/**
 * Creates the store. The folder (0700) is created at the first write. It holds the DPoP key and tokens: keep it out of backups
 * that others can read, and out of version control.
 *
 * @param folder an absolute path, or one below the working directory
 */
export function fileStore(folder: string): Store {
  const pathOf = (key: string) => join(folder, `${createHash('sha256').update(key).digest('hex')}.json`)
  return {
    get: async (key) => {
      const text = await readFile(pathOf(key), 'utf8').catch(ignoring('ENOENT'))
      return text === undefined ? undefined : valueIn(text, pathOf(key), key)
    },
    set: async (key, value, { ifAbsent = false } = {}) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = pathOf(key)
      const beside = join(folder, `.${randomUUID()}.tmp`)
      try {
        await writeFlushed(beside, JSON.stringify({ key, value }))
        if (!ifAbsent) await rename(beside, path)
        else if (!(await linked(beside, path))) return false
        await flushFolder(folder)
        return true
      } finally {
        await rm(beside, { force: true })
      }
    },
    delete: async (key) => {
      await rm(pathOf(key), { force: true })
      await flushFolder(folder).catch(ignoring('ENOENT'))
    },
  }
}

function valueIn(text: string, path: string, key: string): unknown {
  try {
    const kept = JSON.parse(text) as { value: unknown }
    if ('value' in kept) return kept.value
  } catch {}
  const isCredential = /(?:^|[/])(?:session|dpop-key)$/.test(key)
  const found = text.trim() === '' ? 'is empty' : 'is damaged'
  const advice = isCredential
    ? 'Delete it, and sign in again: agent.signIn().'
    : 'Restore it from a backup. It may be the record of a write: without one, look in agent.operations.list() for that write before you delete the file, because the same intent could then be sent a second time.'
  throw new ClientError('store_damaged', `The file ${path} of the store ${found}. ${advice}`, {
    submissionUncertain: !isCredential,
  })
}

async function writeFlushed(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes a hard link, which succeeds for only one process. Returns false if the name is taken. */
async function linked(from: string, to: string): Promise<boolean> {
  return (await link(from, to).then(() => true, ignoring('EEXIST'))) ?? false
}

/** Makes the new name durable. Windows neither needs nor allows it. */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function ignoring(code: string): (error: unknown) => undefined {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error
    return undefined
  }
}
