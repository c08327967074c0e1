/** Applies registrations of clients after a change, as an operator would with a new file. */

import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import type { TestStack } from './stack.test-helper.ts'

export type Declared = Record<string, unknown> & { client_id: string }

type Place = { clientsFile: string; folder: string }

/** Writes the registrations of the file after a change into another file, and returns its path. */
export async function writeChanged(
  { clientsFile, folder }: Place,
  change: (clients: Declared[]) => Declared[],
): Promise<string> {
  const { clients } = parse(await readFile(clientsFile, 'utf8')) as { clients: Declared[] }
  const file = join(folder, `clients-${randomUUID()}.yaml`)
  await writeFile(file, stringify({ clients: change(clients) }, { aliasDuplicateObjects: false }))
  return file
}

/** Applies the registrations of a stack after a change. */
export async function registerClients(stack: TestStack, change: (clients: Declared[]) => Declared[]): Promise<void> {
  const place = { clientsFile: stack.declarations.clientsFile, folder: stack.folder }
  await stack.runCommand('authz', 'apply-clients', [await writeChanged(place, change)])
}
