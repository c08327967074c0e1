/**
 * What authz knows of a grant, kept until the feed says that it changed. Requests for one grant share one read.
 *
 * Invariants: an answer is used only if no change that touches it was heard since it was asked for; otherwise it is asked
 * for again. A revoked grant is therefore refused from the moment at which its change is heard. An answer is never kept
 * beyond the end of its grant, which authz announces to nobody.
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
   * The grant as it is now; null where authz knows none.
   * @throws Problem authorization_unavailable
   */
  find(grantId: string, asker: Asker): GrantView | Promise<GrantView | null>
  /**
   * A token is here for the first time. Where it was given more than is known of its grant, the owner may just have allowed
   * more or connected again, and the feed has yet to tell: the grant is read again, once for each token.
   */
  compare(token: { grantId: string; scopes: ReadonlySet<string> }): void
  isSilent(): boolean
  stop(): void
}

type Asker = { requestId: string; traceparent: string }

/** What is kept of a grant; `endsAtMs` as the clock of this process reads it. */
type Kept = { view: GrantView; endsAtMs: number }

/** What was heard while a read was under way. */
type Reading = { changes: GrantChange[]; unsure: boolean; answer: Promise<GrantView | null> }

export type GrantsOptions = {
  bus: Bus
  log: Log
  silenceMs: number
  nowMs: () => number
  /** A client changed, or may have. */
  onClientChange: () => void
}

export function startGrants(options: GrantsOptions): Grants {
  const { nowMs } = options
  const views = new Map<string, Kept>()
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

  const read = async (grantId: string, asker: Asker, reading: Reading): Promise<GrantView | null> => {
    for (let reads = 0; reads < maxReads; reads += 1) {
      reading.changes = []
      reading.unsure = false
      const view = await call(options.bus, 'rpc.authz.grant', { grant_id: grantId }, { ...asker, timeoutMs })
      // The answer may be from before this process stood still.
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
  const readShared = (grantId: string, asker: Asker): Promise<GrantView | null> => {
    const under = readings.get(grantId)
    if (under) return under.answer
    const reading = { changes: [], unsure: false } as unknown as Reading
    readings.set(grantId, reading)
    reading.answer = read(grantId, asker, reading)
      .catch((cause: unknown) => {
        throw new Problem('authorization_unavailable', { cause })
      })
      .finally(() => readings.delete(grantId))
    return reading.answer
  }
  return {
    find: (grantId, asker) => {
      if (feed.isSilent()) throw new Problem('authorization_unavailable')
      const kept = views.get(grantId)
      // One that has ended is read again: its owner may have authorised the client anew.
      return kept !== undefined && nowMs() < kept.endsAtMs ? kept.view : readShared(grantId, asker)
    },
    compare: ({ grantId, scopes }) => {
      const reading = readings.get(grantId)
      if (reading) reading.unsure = true
      const view = views.get(grantId)?.view
      if (view && (view.binding_id === null || !scopes.isSubsetOf(new Set(view.scopes)))) views.delete(grantId)
    },
    isSilent: () => feed.isSilent(),
    stop: () => feed.stop(),
  }
}

function touches(change: GrantChange, view: Pick<GrantView, 'grant_id'> & Partial<GrantView>): boolean {
  if ('grant_id' in change) return change.grant_id === view.grant_id
  if ('client_id' in change) return change.client_id === view.client_id
  return change.owner_id === view.owner_id
}
