// PostgreSQL refuses to run as root. If we are root, it runs as `nobody`, in a temporary folder that only `nobody` can
// access. This file finds that user and the paths that the user can read.

import { chown, mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runToEnd } from './child-process.ts'

export type User = { uid: number; gid: number }

/** Finds the user that servers must run as: `nobody` if we are root, else undefined (ourselves). */
export async function findServerUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = await Promise.all([runToEnd('id', 'id', ['-u', 'nobody']), runToEnd('id', 'id', ['-g', 'nobody'])])
  return { uid: Number(uid), gid: Number(gid) }
}

/** Returns true if any user can pass through every folder above this path and read it. */
export async function isReachableByAll(path: string): Promise<boolean> {
  const { mode } = await stat(path)
  if ((mode & 0o004) === 0) return false
  for (let folder = path; folder !== dirname(folder); ) {
    folder = dirname(folder)
    if (((await stat(folder)).mode & 0o001) === 0) return false
  }
  return true
}

/**
 * Makes a new folder with mode 0700 in the temporary directory, owned by `user` (else by us).
 * @throws Error if that user cannot reach any temporary directory.
 */
export async function makePrivateFolder(prefix: string, user: User | undefined): Promise<string> {
  const candidates = user === undefined ? [tmpdir()] : [tmpdir(), '/tmp', '/var/tmp']
  for (const parent of candidates) {
    if (user !== undefined && !(await isReachableByAll(parent).catch(() => false))) continue
    const folder = await mkdtemp(join(parent, prefix))
    if (user !== undefined) await chown(folder, user.uid, user.gid)
    return folder
  }
  throw new Error(`no temporary directory that an unprivileged user can reach: tried ${candidates.join(', ')}`)
}
