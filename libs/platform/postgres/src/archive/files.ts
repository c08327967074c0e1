/**
 * The files of an archived month: one gzip file of newline-delimited JSON for each table, and a manifest. A folder is
 * written beside its final name, read back, and renamed when it is complete.
 *
 * Invariant: a folder with its final name has a manifest, and its files were synced to the disk and read back before.
 * No complete folder is ever overwritten.
 */

import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'

export const manifestFormat = 1

const fileFacts = z.object({
  file: z.string().regex(/^[a-z_]+\.ndjson\.gz$/),
  rows: z.number().int().min(0),
  /** The size of the compressed file. */
  bytes: z.number().int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  omitted: z.array(z.string()),
})

/** The manifest of a month: the files of one service, with their rows and hashes. */
export const manifest = z.object({
  format: z.literal(manifestFormat),
  service: z.string(),
  month: z.string(),
  from_id: z.guid(),
  until_id: z.guid(),
  until: z.iso.datetime(),
  /** The name of the newest migration: it says which columns the rows have. */
  schema_version: z.string(),
  written_at: z.iso.datetime(),
  tables: z.record(z.string(), fileFacts),
})

export type Manifest = z.output<typeof manifest>
export type FileFacts = z.output<typeof fileFacts>

const manifestFile = 'manifest.json'
/** Only the owner of the files reads them. */
const fileMode = 0o600
const folderMode = 0o700

/** Writes the lines of one table, and syncs the file to the disk. */
export async function writeTable(
  folder: string,
  table: string,
  lines: AsyncIterable<string>,
  omitted: readonly string[],
): Promise<FileFacts> {
  const file = `${table}.ndjson.gz`
  const written = { rows: 0, bytes: 0 }
  const hash = createHash('sha256')
  const counted = async function* () {
    for await (const line of lines) {
      written.rows += 1
      // Raw line ends can occur only between the members of a json value.
      yield `${line.replaceAll('\n', ' ')}\n`
    }
  }
  const hashed = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      written.bytes += chunk.length
      done(null, chunk)
    },
  })
  // `flush`: fsync before the file is closed.
  const target = createWriteStream(join(folder, file), { mode: fileMode, flush: true })
  await pipeline(Readable.from(counted()), createGzip(), hashed, target)
  return { file, ...written, sha256: hash.digest('hex'), omitted: [...omitted] }
}

export async function* readLines(path: string): AsyncGenerator<string> {
  const source = createReadStream(path)
  const unzipped = source.pipe(createGunzip())
  source.on('error', (error) => unzipped.destroy(error))
  for await (const line of createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })) yield line
}

/**
 * Reads every file of a folder back: its size, its hash, its number of lines, and that each line is JSON.
 * @throws Error that names the file
 */
export async function verifyFolder(folder: string, { tables }: Pick<Manifest, 'tables'>): Promise<void> {
  for (const facts of Object.values(tables)) {
    const path = join(folder, facts.file)
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      bytes += chunk.length
    }
    if (bytes !== facts.bytes || hash.digest('hex') !== facts.sha256)
      throw new Error(`${path} is not the file that the manifest describes`)
    let rows = 0
    for await (const line of readLines(path)) {
      JSON.parse(line)
      rows += 1
    }
    if (rows !== facts.rows) throw new Error(`${path} has ${rows} rows, and the manifest says ${facts.rows}`)
  }
}

/** Begins a folder anew, beside its final name. */
export async function beginFolder(final: string): Promise<string> {
  const folder = `${final}.partial`
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: folderMode })
  return folder
}

/**
 * Writes the manifest, reads everything back, and gives the folder its final name. A complete folder of the same month
 * stays as it is if its rows are the same. Otherwise (for example after a restore), the earlier folder is renamed, with
 * the time at which it was written.
 */
export async function completeFolder(folder: string, final: string, written: Manifest): Promise<Manifest> {
  const handle = await open(join(folder, manifestFile), 'w', fileMode)
  try {
    await handle.writeFile(`${JSON.stringify(written, null, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  const readBack = await readManifest(folder)
  if (!readBack) throw new Error(`${folder} has lost its manifest`)
  await verifyFolder(folder, readBack)
  await syncFolder(folder)
  const existing = await readManifest(final)
  if (existing && JSON.stringify(existing.tables) === JSON.stringify(readBack.tables)) {
    await verifyFolder(final, existing)
    await rm(folder, { recursive: true })
    return existing
  }
  if (existing) await rename(final, `${final}.${existing.written_at.replaceAll(':', '')}`)
  await rename(folder, final)
  await syncFolder(join(final, '..'))
  return readBack
}

/** Reads a manifest; undefined if there is none. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  let text: string
  try {
    text = await readFile(join(folder, manifestFile), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return manifest.parse(JSON.parse(text))
}

/** A complete folder of the archive. */
export type Folder = { path: string; manifest: Manifest }

/** Lists the complete folders of a service, the newest months first. */
export async function listFolders(dir: string, service: string): Promise<Folder[]> {
  const names = await readdir(join(dir, service)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const folders: Folder[] = []
  for (const name of names
    .filter((each) => !each.endsWith('.partial'))
    .toSorted()
    .toReversed()) {
    const path = join(dir, service, name)
    const found = await readManifest(path)
    if (found) folders.push({ path, manifest: found })
  }
  return folders
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
