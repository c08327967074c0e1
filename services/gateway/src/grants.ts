/**
 * The grants as authz knows them. Each is cached until the feed reports a change. Concurrent requests for one grant
 * share a read.
 *
 * Invariants: an answer is used only if no change of its grant was heard since the question; otherwise authz is asked
 * again. A revoked grant is therefore refused as soon as its change is heard. An answer is never cached beyond the end
 * of its grant, because authz does not announce that end.
 */

import type { Bus } from '@financial-agents/bus/connect'
import type { GrantView } from '@financial-agents/bus/messages/authority'
import { call } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { Log } from '@financial-agents/runtime/log'
import { type GrantChange, type GrantFeed, startGrantFeed } from './grant-feed.ts'

const maxGrants = 50_000
const maxReads = 5
const timeoutMs = 2_000

export type Grants = {
  /**
   * Returns the current grant; null if authz has none with this id.
   * @throws Problem authorization_unavailable
   */
  find(grantId: string, caller: Caller): GrantView | Promise<GrantView | null>
  /**
   * Compares a new token with its cached grant. If the token has more than the grant, the owner may just have allowed
   * more or connected again, and the feed has not reported it yet. The grant is then read again, once for each token.
   */
  compare(token: { grantId: string; scopes: ReadonlySet<string> }): void
  isSilent(): boolean
  /** True if the feed was ever heard. */
  isHeard(): boolean
  stop(): void
}

type Caller = { requestId: string; traceparent: string }

/** A cached grant; `endsAtMs` is by this process's clock. */
type CachedGrant = { view: GrantView; endsAtMs: number }

/** The changes heard during a read. */
type Reading = { changes: GrantChange[]; unsure: boolean; answer: Promise<GrantView | null> }

export type GrantsOptions = {
  bus: Bus
  log: Log
  silenceMs: number
  nowMs: () => number
  /** Called when a client changed, or may have changed. */
  onClientChange: () => void
}

export function startGrants(options: GrantsOptions): Grants {
  const { nowMs } = options
  const views = new Map<string, CachedGrant>()
  const readings = new Map<string, Reading>()

  const feed: GrantFeed = startGrantFeed({
    ...options,
    onChange: (change) => {
      if ('grant_id' in change) views.delete(change.grant_id)
      else for (const { view } of views.values()) if (touches(change, view)) views.delete(view.grant_id)
      for (const reading of readings.values()) reading.changes.push(change)
      if ('client_id' in change) options.onClientChange()
    },
    onUnsure: () => {
      views.clear()
      for (const reading of readings.values()) reading.unsure = true
      options.onClientChange()
    },
  })

  const read = async (grantId: string, caller: Caller, reading: Reading): Promise<GrantView | null> => {
    for (let reads = 0; reads < maxReads; reads += 1) {
      reading.changes = []
      reading.unsure = false
      const view = await call(options.bus, 'rpc.authz.grant', { grant_id: grantId }, { ...caller, timeoutMs })
      // The answer may be older than a standstill of this process.
      if (feed.isSilent()) throw new Error('the feed of changes is silent')
      if (reading.unsure || reading.changes.some((change) => touches(change, view ?? { grant_id: grantId }))) continue
      if (view === null) return null
      const endsAtMs = view.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(view.expires_at)
      if (!(endsAtMs > nowMs())) return { ...view, status: 'inactive' }
      if (views.size >= maxGrants) views.clear()
      views.set(grantId, { view, endsAtMs })
      return view
    }
    throw new Error('the grant changed faster than it could be read')
  }
  const readShared = (grantId: string, caller: Caller): Promise<GrantView | null> => {
    const under = readings.get(grantId)
    if (under) return under.answer
    const reading = { changes: [], unsure: false } as unknown as Reading
    readings.set(grantId, reading)
    reading.answer = read(grantId, caller, reading)
      .catch((cause: unknown) => {
        throw new Problem('authorization_unavailable', { cause })
      })
      .finally(() => readings.delete(grantId))
    return reading.answer
  }
  return {
    find: (grantId, caller) => {
      if (feed.isSilent()) throw new Problem('authorization_unavailable')
      const kept = views.get(grantId)
      // A grant that has ended is read again, because its owner may have authorised the client again.
      return kept !== undefined && nowMs() < kept.endsAtMs ? kept.view : readShared(grantId, caller)
    },
    compare: ({ grantId, scopes }) => {
      const reading = readings.get(grantId)
      if (reading) reading.unsure = true
      const view = views.get(grantId)?.view
      if (view && (view.binding_id === null || !scopes.isSubsetOf(new Set(view.scopes)))) views.delete(grantId)
    },
    isSilent: () => feed.isSilent(),
    isHeard: () => feed.isHeard(),
    stop: () => feed.stop(),
  }
}

function touches(change: GrantChange, view: Pick<GrantView, 'grant_id'> & Partial<GrantView>): boolean {
  if ('grant_id' in change) return change.grant_id === view.grant_id
  if ('client_id' in change) return change.client_id === view.client_id
  return change.owner_id === view.owner_id
}
