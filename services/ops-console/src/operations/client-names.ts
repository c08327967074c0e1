/**
 * Names of clients by their ids, cached for a minute, because lists show the same few repeatedly. The cache is bounded.
 */

import { ask } from '@financial-agents/bus/ask'
import type { Bus } from '@financial-agents/bus/connect'
import type { MessageContext } from '@financial-agents/bus/headers'
import { accountPageClient } from '@financial-agents/contract/principal'
import type { Clock } from '@financial-agents/runtime/clock'

const keptMs = 60_000
const maxEntries = 10_000

/** Returns the name of each client, or its id if authz does not know it. @throws Unavailable */
export type ClientNames = (clientIds: readonly string[], context: MessageContext) => Promise<Map<string, string>>

export function createClientNames({ bus, clock }: { bus: Bus; clock: Clock }): ClientNames {
  const known = new Map<string, { name: string; readAtMs: number }>()
  const find = (id: string): string | undefined => {
    if (id === accountPageClient) return 'The owner, on the account page'
    const entry = known.get(id)
    return entry && clock.nowMs() - entry.readAtMs < keptMs ? entry.name : undefined
  }
  const remember = (id: string, name: string) => {
    known.delete(id)
    known.set(id, { name, readAtMs: clock.nowMs() })
    for (const oldest of known.keys()) {
      if (known.size <= maxEntries) break
      known.delete(oldest)
    }
  }
  return async (clientIds, context) => {
    const names = new Map(clientIds.map((id) => [id, find(id)]))
    const missing = [...names].flatMap(([id, name]) => (name === undefined ? [id] : []))
    const read = missing.length === 0 ? [] : await ask(bus, 'int.authz.client-names', { client_ids: missing }, context)
    for (const { client_id, name } of read) {
      remember(client_id, name)
      names.set(client_id, name)
    }
    return new Map([...names].map(([id, name]) => [id, name ?? id]))
  }
}
