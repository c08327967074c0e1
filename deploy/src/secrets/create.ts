/**
 * Writes the Secrets of an installation, or the missing ones, into a folder. It prints nothing and returns only names.
 * Values leave it only into files that their owner alone can read.
 */

import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { isDeepStrictEqual, promisify } from 'node:util'
import { completeSecrets, findOtherAddress, type InstallationOptions } from './complete.ts'
import { readSecrets, writeSecret } from './manifests.ts'
import { type Rotated, type RotationStep, rotate } from './rotate.ts'

/** The folder, and the installation that the Secrets are for. */
export type CreateSecretsOptions = InstallationOptions & {
  folder: string
  namespace?: string | undefined
  /** Adds missing Secrets to existing ones, as after an upgrade. */
  add?: boolean | undefined
}

export type Written = { written: string[]; kept: string[] }

/**
 * Makes the missing Secrets and keeps the existing ones.
 * @throws Error if git would commit the folder, if an existing address differs from the given one, or if some Secrets
 * are missing and `add` is not set
 */
export async function createSecrets(options: CreateSecretsOptions): Promise<Written> {
  const { folder, namespace } = options
  await checkNotCommitted(folder)
  const existing = await readSecrets(folder)
  const other = findOtherAddress(existing, options)
  if (other !== undefined)
    throw new Error(
      `DATABASE_URL of ${other} has another address than was given, and what exists is kept: correct it there`,
    )
  const complete = completeSecrets(existing, options)
  const changed = [...complete].filter(([name, entries]) => !isDeepStrictEqual(entries, existing.get(name) ?? {}))
  if (existing.size > 0 && changed.length > 0 && !options.add) {
    const lacking = changed.map(([name]) => name).join(', ')
    throw new Error(`the folder has Secrets already, and these are not complete: ${lacking}. --add completes them`)
  }
  for (const [name, entries] of changed) await writeSecret({ folder, namespace }, name, entries)
  const written = changed.map(([name]) => name)
  return { written, kept: [...complete.keys()].filter((name) => !written.includes(name)) }
}

/** Takes one step of a key rotation. Returns the components to roll out. */
export async function rotateSecret(
  options: { folder: string; namespace?: string | undefined; prefix: string },
  what: string,
  step: RotationStep,
): Promise<{ written: string[] } & Omit<Rotated, 'secrets'>> {
  await checkNotCommitted(options.folder)
  const { secrets, ...rotated } = rotate(await readSecrets(options.folder), options.prefix, what, step)
  for (const [name, entries] of secrets) await writeSecret(options, name, entries)
  return { written: [...secrets.keys()], ...rotated }
}

/** Inside a repository, git must ignore the folder. */
async function checkNotCommitted(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const run = promisify(execFile)
  const code = await run('git', ['check-ignore', '--quiet', '--no-index', `${folder}/secret.yaml`], {
    cwd: folder,
  }).then(
    () => 0,
    (error: { code?: number | string }) => error.code,
  )
  if (code === 1) throw new Error('the folder is in a git repository that does not ignore it: take another')
}
