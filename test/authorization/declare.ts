/** Applies changed registrations, as an operator would with another file. */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Declared, writeChanged } from '../register-clients.ts'
import { environment } from './environment.ts'

const run = promisify(execFile)

/** Applies the registrations of the tests after a change of each. Without a change, it restores them. */
export async function declare(change: (client: Declared) => Declared[] = (client) => [client]): Promise<void> {
  const { commandEnvironment, ...place } = environment()
  const file = await writeChanged(place, (clients) => clients.flatMap(change))
  const cwd = join(import.meta.dirname, '../../services/authz')
  await run(process.execPath, ['src/main.ts', 'apply-clients', file], { cwd, env: commandEnvironment })
}

/** Applies them with other members of one client. */
export function declareWith(clientId: string, members: Record<string, unknown>): Promise<void> {
  return declare((client) => [client.client_id === clientId ? { ...client, ...members } : client])
}
