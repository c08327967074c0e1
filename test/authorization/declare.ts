/** Applies changed registrations, as an operator would with another file. */

import { type Declared, writeChanged } from '../register-clients.ts'
import { runAuthzCommand } from './command.ts'
import { environment } from './environment.ts'

/** Applies the registrations of the tests after a change of each. Without a change, it restores them. */
export async function declare(change: (client: Declared) => Declared[] = (client) => [client]): Promise<void> {
  await runAuthzCommand('apply-clients', await writeChanged(environment(), (clients) => clients.flatMap(change)))
}

/** Applies them with other members of one client. */
export function declareWith(clientId: string, members: Record<string, unknown>): Promise<void> {
  return declare((client) => [client.client_id === clientId ? { ...client, ...members } : client])
}
