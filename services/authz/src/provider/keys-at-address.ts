/**
 * The keys of clients that register an address (`jwks_uri`) instead of keys. The library keeps such keys, and fetches them again
 * only if they do not verify, so a withdrawn key would verify for ever. These stores replace the library's.
 *
 * Invariants: a key verifies only within a minute after the request that read it. While the address does not answer with a key set,
 * it verifies five minutes longer, and then no key of the client does. Requests that need the keys at the same time share a fetch.
 */

import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { PublishedKey } from '../registration/fetch-keys.ts'
import { publishedKeysFreshMs as freshMs, publishedKeysKeptMs as keptMs } from './lifetimes.ts'

/** The pause after a failed fetch, so that requests without a valid assertion do not become as many fetches. */
const pauseMs = 1_000

/** The part of the library's key store that verifies assertions. It refreshes a store that is not fresh, and tries again. */
export type KeyStore = {
  fresh: () => boolean
  refresh: () => Promise<void>
  selectForVerify: (wanted: { kid?: string | undefined }) => PublishedKey[]
  getKeyObject: (selected: PublishedKey) => PublishedKey['key']
}

export type KeysAtAddress = (clientId: string, address: string) => KeyStore

export type KeyDependencies = {
  clock: Clock
  log: Log
  /** @throws if the address does not answer with a key set */
  fetchKeys: (address: string) => Promise<PublishedKey[]>
}

/** All instances of the library in a process share the stores, so that a new signing key does not lose the clients' keys. */
export function createKeysAtAddress(dependencies: KeyDependencies): KeysAtAddress {
  const stores = new Map<string, { address: string; store: KeyStore }>()
  return (clientId, address) => {
    const known = stores.get(clientId)
    if (known?.address === address) return known.store
    const store = createStore(clientId, address, dependencies)
    stores.set(clientId, { address, store })
    return store
  }
}

function createStore(clientId: string, address: string, { clock, log, fetchKeys }: KeyDependencies): KeyStore {
  let keys: PublishedKey[] = []
  /** The start of the request that read the keys: a key that was withdrawn since may be among them. */
  let readMs = Number.NEGATIVE_INFINITY
  let failedMs = Number.NEGATIVE_INFINITY
  let fetching: Promise<void> | undefined
  // If the clock was set back, the age is unknown, and nothing is within it.
  const isWithin = (sinceMs: number, limitMs: number) => {
    const passedMs = clock.nowMs() - sinceMs
    return passedMs >= 0 && passedMs < limitMs
  }
  const hasFailed = () => isWithin(failedMs, pauseMs)
  const fetchOnce = async () => {
    const startedMs = clock.nowMs()
    try {
      keys = await fetchKeys(address)
      readMs = startedMs
    } catch (error) {
      failedMs = clock.nowMs()
      log.warn({ err: error, client_id: clientId }, 'the keys of a client could not be fetched')
    } finally {
      fetching = undefined
    }
  }
  return {
    fresh: () => isWithin(readMs, freshMs) || hasFailed(),
    refresh: () => {
      fetching ??= fetchOnce()
      return fetching
    },
    selectForVerify: ({ kid }) => {
      const mayVerify = isWithin(readMs, freshMs) || (hasFailed() && isWithin(readMs, keptMs))
      return mayVerify ? keys.filter((key) => kid === undefined || key.kid === kid) : []
    },
    getKeyObject: ({ key }) => key,
  }
}
