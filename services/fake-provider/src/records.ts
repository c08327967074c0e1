/**
 * What the provider keeps of each mutation that it executed, by persona, kind and client reference. It never
 * deduplicates: a reference submitted twice is executed twice, so that a double submission does the harm it would do.
 * Settlement is judged when a record is read, against the provider's clock; no timers.
 */

import type { Clock } from '@financial-agents/runtime/clock'

export type Settlement =
  | { readonly type: 'settled' }
  /** Final as `as` at `atMs`; null waits to be told. */
  | { readonly type: 'later'; readonly atMs: number | null; readonly as: FinalStatus; readonly reason: string }
  | { readonly type: 'never' }
  | { readonly type: 'reopened' }

export type FinalStatus = 'active' | 'failed'

/** As the provider shows it. */
export type ShownRecord = {
  readonly provider_ref: string
  readonly client_reference: string
  readonly status: 'pending' | FinalStatus
  readonly settled_at: string | null
  readonly failure_reason: string | null
}

export type NewRecord = {
  readonly persona: string
  readonly kind: string
  readonly clientReference: string
  readonly settlement: Settlement
}

export type SettleRequest = { readonly clientReference?: string; readonly as: FinalStatus; readonly reason: string }

export type Records = {
  add(record: NewRecord): ShownRecord
  find(persona: string, kind: string, clientReference: string): readonly ShownRecord[]
  /** Settles what waits to settle later; the number settled. */
  settle(request: SettleRequest): number
}

type KeptRecord = { shown: ShownRecord; settlement: Settlement }

export function createRecords(clock: Clock): Records {
  const kept = new Map<string, KeptRecord[]>()
  // Only what waits, so that settling does not walk every record ever made.
  const waiting = new Set<KeptRecord>()
  let nextNumber = 1

  return {
    add({ persona, kind, clientReference, settlement }) {
      const shown = firstShown(`${kind.slice(0, 3)}_${(nextNumber++).toString(36).padStart(8, '0')}`, clientReference)
      const record: KeptRecord = { shown: startAs(shown, settlement, clock), settlement }
      if (settlement.type === 'later') waiting.add(record)
      const key = keyOf(persona, kind, clientReference)
      const others = kept.get(key)
      if (others === undefined) kept.set(key, [record])
      else others.push(record)
      return record.shown
    },
    find(persona, kind, clientReference) {
      const records = kept.get(keyOf(persona, kind, clientReference)) ?? []
      for (const record of records) settleIfDue(record, clock, waiting)
      return records.map(({ shown, settlement }) => (settlement.type === 'reopened' ? reopened(shown, clock) : shown))
    },
    settle({ clientReference, as, reason }) {
      let settled = 0
      for (const record of waiting) {
        if (clientReference !== undefined && record.shown.client_reference !== clientReference) continue
        record.shown = final(record.shown, as, reason, clock.now().toISOString())
        waiting.delete(record)
        settled += 1
      }
      return settled
    },
  }
}

function keyOf(persona: string, kind: string, clientReference: string): string {
  return `${persona} ${kind} ${clientReference}`
}

function firstShown(providerRef: string, clientReference: string): ShownRecord {
  return {
    provider_ref: providerRef,
    client_reference: clientReference,
    status: 'pending',
    settled_at: null,
    failure_reason: null,
  }
}

function startAs(shown: ShownRecord, settlement: Settlement, clock: Clock): ShownRecord {
  return settlement.type === 'settled' ? final(shown, 'active', '', clock.now().toISOString()) : shown
}

function settleIfDue(record: KeptRecord, clock: Clock, waiting: Set<KeptRecord>): void {
  const { settlement, shown } = record
  if (settlement.type !== 'later' || settlement.atMs === null || !waiting.has(record)) return
  if (clock.nowMs() < settlement.atMs) return
  record.shown = final(shown, settlement.as, settlement.reason, new Date(settlement.atMs).toISOString())
  waiting.delete(record)
}

function final(shown: ShownRecord, status: FinalStatus, reason: string, settledAt: string): ShownRecord {
  return { ...shown, status, settled_at: settledAt, failure_reason: status === 'failed' ? reason : null }
}

/** Pending, though it says when it was settled: it went back from a final state. */
function reopened(shown: ShownRecord, clock: Clock): ShownRecord {
  return { ...shown, settled_at: clock.now().toISOString() }
}
