/**
 * The bundles as in the images: in a read-only folder that cannot reach any package of the workspace. An unprivileged
 * user runs them, on a node that may read only that folder.
 */

import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundleServices, findPrograms } from '@financial-agents/deploy/images/bundle-services'
import { isReachableByAll } from '@financial-agents/servers/unprivileged-user'
import type { Bundles } from '@financial-agents/testkit/programs'

/** The user that runs the images. */
const imageUser = { uid: 65_532, gid: 65_532 }

export const version = '7.8.9-test'

/** The first page of a site that stands in for the documentation. `test/docs` builds the real one. */
export const documentationPage = '<!doctype html><title>Documentation</title>'

export type MadeBundles = {
  /** The services and the tools. */
  programs: readonly string[]
  folder: string
  /** The bundles for a stack. */
  bundles: Bundles
  /** Runs a program to its end, as the entry point of its image does. */
  run(service: string, ...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>
  remove(): Promise<void>
}

/** @param mounted folders that are mounted into the containers */
export async function makeBundles(mounted: readonly string[] = []): Promise<MadeBundles> {
  const folder = await mkdtemp(join(tmpdir(), 'financial-agents-bundles-'))
  const programs = await findPrograms()
  const documentation = await mkdtemp(join(tmpdir(), 'financial-agents-documentation-'))
  await writeFile(join(documentation, 'index.html'), documentationPage)
  await bundleServices({ services: programs, out: folder, version, documentation })
  await rm(documentation, { recursive: true })
  for (const path of [folder, ...(await readdir(folder, { recursive: true })).map((entry) => join(folder, entry))])
    await chmod(path, (await stat(path)).isDirectory() ? 0o555 : 0o444)
  const user = await findImageUser()
  // A stack puts the files for its commands into folders of this name.
  const readable = [
    join(folder, '*'),
    join(tmpdir(), 'financial-agents-journey-*'),
    ...mounted.map((path) => join(path, '*')),
  ]
  const nodeArguments = ['--permission', ...readable.map((path) => `--allow-fs-read=${path}`)]
  return {
    programs,
    folder,
    bundles: { folder, nodeArguments, ...(user ? { user } : {}) },
    run: async (service, ...args) => {
      const cwd = join(folder, service)
      const all = [...nodeArguments, '--require', join(cwd, 'telemetry.cjs'), join(cwd, 'main.cjs'), ...args]
      try {
        return { code: 0, ...(await promisify(execFile)(process.execPath, all, { cwd, env: {}, ...user })) }
      } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
        return { code, stdout, stderr }
      }
    },
    remove: async () => {
      await chmod(folder, 0o755)
      for (const entry of await readdir(folder, { recursive: true })) {
        const path = join(folder, entry)
        if ((await stat(path)).isDirectory()) await chmod(path, 0o755)
      }
      await rm(folder, { recursive: true })
    },
  }
}

/** Returns the images' user if we are root and that user can read node; else undefined. */
async function findImageUser(): Promise<typeof imageUser | undefined> {
  if (process.getuid?.() !== 0 || !(await isReachableByAll(process.execPath))) return undefined
  return imageUser
}
