/** Applies the stack's registrations after a change, as an operator would with a new file. */

import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import type { TestStack } from '../stack.test-helper.ts'

export type Declared = Record<string, unknown> & { client_id: string }

export async function declareClients(stack: TestStack, change: (clients: Declared[]) => Declared[]): Promise<void> {
  const { clients } = parse(await readFile(stack.declarations.clientsFile, 'utf8')) as { clients: Declared[] }
  const file = join(stack.folder, `clients-${randomUUID()}.yaml`)
  await writeFile(file, stringify({ clients: change(clients) }))
  await stack.runCommand('authz', 'apply-clients', [file])
}
