/**
 * Caches parsed clients. The library reads a client for every request and keeps only a hundred parsed ones, so it would
 * parse the others each time. Here every declared client has an entry, which is parsed again if its registration
 * changed. The keys behind an address are not part of the entry (`keys-at-address.ts`).
 */

import type { Adapter, AdapterPayload, Client, Provider } from 'oidc-provider'
import type { KeysAtAddress } from './keys-at-address.ts'

export function keepClients(provider: Provider, adapter: Adapter, keysAt: KeysAtAddress): void {
  const Parsed = provider.Client as typeof provider.Client & (new (metadata: AdapterPayload) => Client)
  const kept = new Map<string, { registered: string; client: Client }>()
  Parsed.find = async (clientId) => {
    const metadata = typeof clientId === 'string' ? await adapter.find(clientId) : undefined
    if (!metadata) {
      kept.delete(clientId)
      return undefined
    }
    const registered = JSON.stringify(metadata)
    const known = kept.get(clientId)
    if (known?.registered === registered) return known.client
    const client = new Parsed(metadata)
    if (client.jwksUri !== undefined)
      Object.defineProperty(client, 'asymmetricKeyStore', { value: keysAt(clientId, client.jwksUri) })
    kept.set(clientId, { registered, client })
    return client
  }
}
