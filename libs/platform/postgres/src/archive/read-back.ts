/** Reads an operation back from the files of all services, and verifies files. */

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Folder, listFolders, readLines, verifyFolder } from './files.ts'

/** A row of the archive. `line` is its JSON text as it was written, so that no number loses a digit. */
export type ArchivedRow = { folder: string; table: string; line: string }

/** The members by which a row can name its operation. `operation_id` is used if it is present, otherwise `id`. */
type Named = { operation_id?: unknown; id?: unknown }

/** Reads all rows of an operation. It reads each file of the operation's month once. */
export async function readArchived(dir: string, id: string): Promise<ArchivedRow[]> {
  const rows: ArchivedRow[] = []
  for (const service of (await readdir(dir)).toSorted())
    for (const folder of await listFolders(dir, service))
      if (isWithin(folder, id)) rows.push(...(await readFolder(folder, id)))
  return rows
}

function isWithin({ manifest: { from_id, until_id } }: Folder, id: string): boolean {
  return from_id <= id && id < until_id
}

async function readFolder({ path, manifest }: Folder, id: string): Promise<ArchivedRow[]> {
  const rows: ArchivedRow[] = []
  for (const [table, { file }] of Object.entries(manifest.tables))
    for await (const line of readLines(join(path, file))) {
      if (!line.includes(id)) continue
      const { operation_id, id: own } = JSON.parse(line) as Named
      if ((operation_id ?? own) === id) rows.push({ folder: path, table, line })
    }
  return rows
}

/** Verifies every complete folder of a service. Returns a line for each. */
export async function verifyAll(dir: string, service: string): Promise<string[]> {
  const lines: string[] = []
  for (const { path, manifest } of await listFolders(dir, service)) {
    await verifyFolder(path, manifest)
    lines.push(`${path}: ${Object.keys(manifest.tables).length} files are as they were written`)
  }
  return lines
}
