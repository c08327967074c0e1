/**
 * Reads of an owner's verification: what was read by the same connection within a few seconds, by whichever replica, is
 * shown again; else the provider is asked, once at a time, and what it says is recorded before it is shown.
 */

import { type KycStatus, kycStatus } from '@financial-agents/contract/schemas/kyc'
import type { Database } from '@financial-agents/postgres/database'
import { checkedAnswer } from '@financial-agents/provider/checked-answer'
import type { Provider } from '@financial-agents/provider/port'
import type { ProviderReader } from '@financial-agents/provider/reader'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Log } from '@financial-agents/runtime/log'
import { z } from 'zod'
import { type Following, type Kyc, type KycRead, recordKycRead } from './kyc-store.ts'
import { isUnderWay, reasonOf } from './kyc-words.ts'

export type KycParts = {
  db: Database
  clock: Clock
  log: Log
  reader: ProviderReader
  provider: Pick<Provider, 'identityStatus' | 'startIdentityCheck'>
}

/** Whose verification, by which connection, within which trace. */
export type KycAsked = { ownerId: string; bindingId: string; known: Kyc | null; traceparent: string }

export type KycReads = {
  /** @throws Problem as the reader does */
  get(asked: KycAsked): Promise<Kyc>
  /** Likewise, without anybody who waits: what is followed longer for it is left as it is. */
  refresh(asked: Omit<KycAsked, 'known'>): Promise<Kyc>
}

const freshMs = 3_000
/** A verification that is under way is followed closely for so long after somebody asked. */
const followMs = 5 * 60_000
export const followPauseMs = 15_000
/** And slowly from then on: reviews take hours, and nobody may be there to ask. */
const slowFollowMs = 24 * 3_600_000
const slowFollowPauseMs = 15 * 60_000

export function createKycReads(parts: KycParts): KycReads {
  const underWay = new Map<string, Promise<Kyc>>()

  /** One read of the owner's at a time: whoever comes while it is under way waits for it. */
  function once(asked: Omit<KycAsked, 'known'>, askedNow: boolean): Promise<Kyc> {
    const key = `${asked.ownerId} ${asked.bindingId}`
    const running = underWay.get(key)
    if (running) return running
    const started = readAndRecord(parts, asked, askedNow).finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }

  return {
    get: async ({ known, ...asked }) => {
      const ageMs = parts.clock.nowMs() - (known?.read_at?.getTime() ?? Number.NEGATIVE_INFINITY)
      if (known?.binding_id === asked.bindingId && ageMs >= 0 && ageMs < freshMs) return known
      return once(asked, true)
    },
    refresh: (asked) => once(asked, false),
  }
}

const identity = z.strictObject({
  status: kycStatus,
  /** Shown as `other` where it is none of ours. */
  reason_code: z.string().nullable(),
  updated_at: z.iso.datetime({ offset: true }),
})

async function readAndRecord(parts: KycParts, asked: Omit<KycAsked, 'known'>, askedNow: boolean): Promise<Kyc> {
  const { db, clock, log, reader, provider } = parts
  const { ownerId, bindingId, traceparent } = asked
  const read_at = clock.now()
  const said = await reader.read(
    // Others may wait for it who have more time: the time for a read alone bounds it.
    { traceparent, principal: { binding_id: bindingId } },
    async (call) => checkedAnswer(identity, await provider.identityStatus(call)),
    'identity_status',
  )
  const read: KycRead = {
    status: said.status,
    reason_code: reasonOf(said.status, said.reason_code),
    changed_at: new Date(said.updated_at),
    binding_id: bindingId,
    read_at,
  }
  failpoint('kyc.before_commit')
  const { kyc, changed } = await recordKycRead(db, ownerId, read, clock.now(), followingFrom(clock.now(), askedNow))
  failpoint('kyc.after_commit')
  if (changed) log.info({ owner_id: ownerId, status: kyc.status }, 'the verification of an owner changed')
  return kyc
}

function followingFrom(now: Date, askedNow: boolean): Following {
  return ({ follow_until, binding_id: knownBy }, { status, binding_id }) => {
    // A connection that was just made is a sign of interest, too.
    const isWanted = isUnderWay(status) && (askedNow || knownBy !== binding_id)
    const wanted = isWanted ? new Date(now.getTime() + followMs) : null
    const followUntil = wanted && (follow_until === null || follow_until < wanted) ? wanted : follow_until
    const pauseMs = followUntil && pauseUntilNextMs(status, now.getTime() - followUntil.getTime())
    return { followUntil, dueAt: pauseMs ? new Date(now.getTime() + pauseMs) : null }
  }
}

/** `sinceMs`: since the close following ended, negative before. Null: nothing is looked for. */
function pauseUntilNextMs(status: KycStatus, sinceMs: number): number | null {
  if (status !== 'verified' && sinceMs < 0) return followPauseMs
  return isUnderWay(status) && sinceMs < slowFollowMs ? slowFollowPauseMs : null
}
