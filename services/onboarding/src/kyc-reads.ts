/**
 * Reads of an owner's verification. A result that the same connection read within the last seconds, on any replica, is
 * returned again. Otherwise the provider is asked, once at a time, and its answer is recorded before it is returned.
 */

import type { Database } from '@financial-agents/postgres/database'
import { createPortRead, type PortRead } from '@financial-agents/provider-client/port-read'
import type { ProviderReader } from '@financial-agents/provider-client/reader'
import type { Provider } from '@financial-agents/provider-port/port'
import type { Clock } from '@financial-agents/runtime/clock'
import { createExpiringCache } from '@financial-agents/runtime/expiring-cache'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Log } from '@financial-agents/runtime/log'
import { type Kyc, type KycRead, recordKycRead } from './kyc-store.ts'
import { reasonOf } from './kyc-words.ts'

export type KycDependencies = {
  db: Database
  clock: Clock
  log: Log
  reader: ProviderReader
  provider: Pick<Provider, 'identityStatus' | 'startIdentityCheck'>
}

/** The owner, the connection to read over, and the trace of the request. */
export type KycAsked = { ownerId: string; bindingId: string; known: Kyc | null; traceparent: string }

export type KycReads = {
  /** @throws Problem as the reader does */
  get(asked: KycAsked): Promise<Kyc>
  /** Reads from the provider even if a fresh result is known. @throws Problem as the reader does */
  refresh(asked: Omit<KycAsked, 'known'>): Promise<Kyc>
}

const freshMs = 3_000

export function createKycReads(dependencies: KycDependencies): KycReads {
  const identityRead = createPortRead(dependencies, 'identityStatus')
  const underWay = new Map<string, Promise<Kyc>>()

  const keyOf = ({ ownerId, bindingId }: Omit<KycAsked, 'known'>) => `${ownerId} ${bindingId}`
  /** Results for requests that loaded what was known just before a read ended. */
  const recent = createExpiringCache<Kyc>({ clock: dependencies.clock, ttlMs: freshMs, maxEntries: 10_000 })

  /** Runs one read of an owner at a time. Requests that arrive meanwhile wait for its result. */
  function once(asked: Omit<KycAsked, 'known'>): Promise<Kyc> {
    const key = keyOf(asked)
    const running = underWay.get(key)
    if (running) return running
    const started = readAndRecord({ ...dependencies, identityRead }, asked).finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }

  return {
    get: async ({ known, ...asked }) => {
      const ageMs = dependencies.clock.nowMs() - (known?.read_at?.getTime() ?? Number.NEGATIVE_INFINITY)
      if (known?.binding_id === asked.bindingId && ageMs >= 0 && ageMs < freshMs) return known
      return recent.get(keyOf(asked), () => once(asked))
    },
    refresh: (asked) => {
      recent.drop(keyOf(asked))
      return once(asked)
    },
  }
}

async function readAndRecord(
  { db, clock, log, identityRead }: KycDependencies & { identityRead: PortRead<'identityStatus'> },
  { ownerId, bindingId, traceparent }: Omit<KycAsked, 'known'>,
): Promise<Kyc> {
  const read_at = clock.now()
  const said = await identityRead.get(
    // The caller's time-out is left out: other requests with more time may wait for the same read, so only the read
    // time-out limits it.
    { traceparent, principal: { binding_id: bindingId } },
  )
  const read: KycRead = {
    status: said.status,
    reason_code: reasonOf(said.status, said.reason_code),
    changed_at: new Date(said.updated_at),
    binding_id: bindingId,
    read_at,
  }
  failpoint('kyc.before_commit')
  const { kyc, changed } = await recordKycRead(db, ownerId, read, clock.now())
  failpoint('kyc.after_commit')
  if (changed) log.info({ owner_id: ownerId, status: kyc.status }, 'the verification of an owner changed')
  return kyc
}
