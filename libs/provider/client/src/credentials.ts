/**
 * The provider credentials of bindings, fetched from onboarding and cached in memory for 30 s. Concurrent requests
 * are batched.
 *
 * Invariant: `missing` is onboarding's own answer; `unreachable` says nothing about the binding. Neither is cached.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import type { SealedCredentials } from '@financial-agents/bus/messages/authority'
import { call } from '@financial-agents/bus/rpc'
import { createBatcher } from '@financial-agents/postgres/batcher'
import type { ProviderFailureCode } from '@financial-agents/provider-port/port'
import type { Clock } from '@financial-agents/runtime/clock'
import { createExpiringCache } from '@financial-agents/runtime/expiring-cache'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'

/** `provider` is the name of the binding's provider, which chooses the adapter. */
export type Credentials =
  | { type: 'open'; provider: string; credentials: string }
  | { type: 'missing' }
  | { type: 'unreachable' }

export type CredentialSource = {
  /** Never rejects. */
  find(bindingId: string): Promise<Credentials>
  /** Drops the credentials if the provider has refused them by this answer. The next `find` fetches them again. */
  dropRefused: (bindingId: string, answer: Answer) => void
}

/** The part of the provider's answers that names a refusal: of an attempt by `failureCode`, of a read by `reason`. */
type Answer = { readonly type: string; readonly failureCode?: unknown; readonly reason?: unknown }

const refusal = 'provider_authentication_failed' satisfies ProviderFailureCode

const keptMs = 30_000
const maxKept = 10_000

/** Reads sealed credentials from their table. Only for onboarding, which need not call itself over the bus. */
export type ListSealed = (bindingIds: string[]) => Promise<SealedCredentials[]>

/** @param options.sealer opens credentials in the context of their binding's id */
export function createCredentials(options: {
  bus: Bus
  sealer: Pick<Sealer, 'open'>
  clock: Clock
  log: Log
  timeoutMs: number
  listSealed?: ListSealed | undefined
}): CredentialSource {
  const { bus, sealer, clock, log, timeoutMs } = options
  const listSealed: ListSealed =
    options.listSealed ??
    ((bindingIds) => call(bus, 'int.onboarding.credentials', { binding_ids: bindingIds }, newContext(timeoutMs)))
  const open = (bindingId: string, { provider, credentials_sealed: sealed }: SealedCredentials): Credentials => {
    try {
      const credentials = sealer.open(Buffer.from(sealed, 'base64'), bindingId).toString('utf8')
      return { type: 'open', provider, credentials }
    } catch (error) {
      log.error({ err: error, binding_id: bindingId }, 'credentials cannot be opened')
      return { type: 'unreachable' }
    }
  }
  const ask = async (bindingIds: string[]): Promise<Map<string, Credentials>> => {
    try {
      const answer = await listSealed(bindingIds)
      const found = new Map(answer.map((entry) => [entry.binding_id, entry]))
      return new Map(
        bindingIds.map((id) => {
          const sealed = found.get(id)
          return [id, sealed === undefined ? { type: 'missing' } : open(id, sealed)]
        }),
      )
    } catch (error) {
      log.warn({ err: error, bindings: bindingIds.length }, 'onboarding gave no credentials; they are asked for again')
      return new Map(bindingIds.map((id) => [id, { type: 'unreachable' }]))
    }
  }
  const batcher = createBatcher<string, Credentials>({ maxItems: 64, concurrency: 2, target: (id) => id, run: ask })
  const cache = createExpiringCache<Credentials>({
    clock,
    ttlMs: keptMs,
    maxEntries: maxKept,
    keep: ({ type }) => type === 'open',
  })
  return {
    find: (bindingId) => cache.get(bindingId, () => batcher.submit(bindingId)),
    dropRefused: (bindingId, { type, failureCode, reason }) => {
      if (failureCode === refusal || (type === 'unavailable' && reason === refusal)) cache.drop(bindingId)
    },
  }
}
