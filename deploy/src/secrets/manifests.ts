/**
 * Secrets as files: one manifest for each, in the form that `kubectl apply`, SOPS, Sealed Secrets and External Secrets
 * stores accept. From their creation on, only their owner can read folder and files. A file is replaced as a whole or
 * not at all.
 */

import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'

export type Secrets = Map<string, Record<string, string>>

/** The common properties of all manifests. */
export type ManifestOptions = { folder: string; namespace?: string | undefined }

const note = '# Written by `pnpm create-secrets`. It is secret: it belongs into no repository in the clear.\n'

/**
 * Reads the Secrets in the folder. The result is empty if the folder does not exist.
 * @throws Error that names a file that is not exactly one Secret
 */
export async function readSecrets(folder: string): Promise<Secrets> {
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const secrets: Secrets = new Map()
  for (const file of files.filter((name) => name.endsWith('.yaml')).toSorted()) {
    const { name, entries } = parseSecret(await readFile(join(folder, file), 'utf8'), file)
    secrets.set(name, entries)
  }
  return secrets
}

function parseSecret(text: string, file: string): { name: string; entries: Record<string, string> } {
  type Manifest = { kind?: string; metadata?: { name?: string }; data?: Record<string, string> } | null
  let manifest: Manifest
  try {
    manifest = parse(text) as Manifest
  } catch {
    // The library's error message may quote the file.
    throw new Error(`${file} is no YAML`)
  }
  const { kind, metadata, data } = manifest ?? {}
  if (kind !== 'Secret' || `${metadata?.name}.yaml` !== file || typeof data !== 'object')
    throw new Error(`${file} is not a Secret that this command wrote: keep it elsewhere`)
  return { name: file.slice(0, -'.yaml'.length), entries: converted(data, 'base64', 'utf8') }
}

function converted(entries: Readonly<Record<string, string>>, from: BufferEncoding, to: BufferEncoding) {
  return Object.fromEntries(
    Object.entries(entries).map(([name, value]) => [name, Buffer.from(value, from).toString(to)]),
  )
}

/** The new file replaces the old one only when it is complete. */
export async function writeSecret(
  { folder, namespace }: ManifestOptions,
  name: string,
  entries: Readonly<Record<string, string>>,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const manifest = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { 'app.kubernetes.io/part-of': 'financial-agents-api' },
    },
    type: 'Opaque',
    // Not stringData: entries that are removed from stringData, such as a dropped key, stay in the cluster's Secret.
    data: converted(entries, 'utf8', 'base64'),
  }
  const unfinished = join(folder, `.${name}.${randomBytes(4).toString('hex')}`)
  const file = await open(unfinished, 'wx', 0o600)
  try {
    await file.writeFile(note + stringify(manifest, { lineWidth: 0 }))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, join(folder, `${name}.yaml`))
}
