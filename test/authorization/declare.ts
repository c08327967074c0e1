/** Applies changed registrations, as an operator would with another file. */

import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse, stringify } from 'yaml'
import { environment } from './environment.ts'

export type Declared = { client_id: string } & Record<string, unknown>

const run = promisify(execFile)

/** Applies the registrations of the tests after a change of each. Without a change, it restores them. */
export async function declare(change: (client: Declared) => Declared[] = (client) => [client]): Promise<void> {
  const { clientsFile, folder, commandEnvironment } = environment()
  const { clients } = parse(await readFile(clientsFile, 'utf8')) as { clients: Declared[] }
  const file = join(folder, `clients-${randomUUID()}.yaml`)
  await writeFile(file, stringify({ clients: clients.flatMap(change) }, { aliasDuplicateObjects: false }))
  const cwd = join(import.meta.dirname, '../../services/authz')
  await run(process.execPath, ['src/main.ts', 'apply-clients', file], { cwd, env: commandEnvironment })
}

/** Applies them with other members of one client. */
export function declareWith(clientId: string, members: Record<string, unknown>): Promise<void> {
  return declare((client) => [client.client_id === clientId ? { ...client, ...members } : client])
}
