/**
 * The records of executed mutations, with one shelf for each kind of object. Records are never deduplicated here:
 * `repeats.ts` decides if an instruction that arrives again is executed again. Settlement is validated by the provider's
 * clock when a record is read; there are no timers.
 */

import type { Clock } from '@financial-agents/runtime/clock'

export type Settlement =
  | { readonly type: 'settled' }
  /** Final as `as` at `atMs`; null waits for a request to settle. */
  | { readonly type: 'later'; readonly atMs: number | null; readonly as: FinalStatus; readonly reason: string }
  | { readonly type: 'never' }
  /** No search finds the record until it is settled on request. */
  | { readonly type: 'vanished' }
  | { readonly type: 'reopened' }

export type FinalStatus = 'succeeded' | 'failed'

/** The record as the provider shows it. */
export type ShownRecord = {
  readonly reference: string
  readonly client_reference: string
  readonly status: 'pending' | FinalStatus
  readonly settled_at: string | null
  readonly failure_code: string | null
}

export type RecordBase = {
  readonly testUser: string
  readonly clientReference: string
  readonly settlement: Settlement
}

export type NewRecord<Content> = RecordBase & { readonly content: Content }

export type RecordOf<Content = unknown> = {
  readonly testUser: string
  readonly providerRef: string
  readonly clientReference: string
  readonly content: Content
  readonly keptAtMs: number
  /** The record as it was at first, for the answer to its mutation. */
  readonly first: ShownRecord
  /** Returns the current record, and settles it if it is due. */
  show(): ShownRecord
  /** False if no search finds the record now. */
  isShown(): boolean
}

/** Selects all records with either reference. */
export type Which = { readonly clientReference?: string | undefined; readonly providerRef?: string | undefined }

export type Shelf<Content> = {
  add(record: NewRecord<Content>): RecordOf<Content>
  find(testUser: string, which: Which): readonly RecordOf<Content>[]
  /** All records of one test user, oldest first. */
  listOf(testUser: string): readonly RecordOf<Content>[]
}

export type SettleRequest = { readonly clientReference?: string; readonly as: FinalStatus; readonly reason: string }

export type Records = {
  /**
   * @param prefix the prefix of the shelf's references
   * @param onFailed called for each record that failed after it was kept
   */
  shelf<Content>(prefix: string, onFailed?: (content: Content) => void): Shelf<Content>
  /** Settles the waiting records of every shelf, and returns their number. */
  settle(request: SettleRequest): number
}

type Waiting = { shown: ShownRecord; settle(status: FinalStatus, reason: string, settledAt: string): void }

export function createRecords(clock: Clock): Records {
  // Only waiting records, so that settling does not visit every record.
  const waiting = new Set<Waiting>()
  return {
    shelf: (prefix, onFailed) => createShelf(clock, waiting, prefix, onFailed),
    settle({ clientReference, as, reason }) {
      const settling = [...waiting].filter(
        ({ shown }) => clientReference === undefined || shown.client_reference === clientReference,
      )
      for (const record of settling) record.settle(as, reason, clock.now().toISOString())
      return settling.length
    },
  }
}

function createShelf<Content>(
  clock: Clock,
  waiting: Set<Waiting>,
  prefix: string,
  onFailed: ((content: Content) => void) | undefined,
): Shelf<Content> {
  const byReference = new Map<string, RecordOf<Content>[]>()
  const byProviderRef = new Map<string, RecordOf<Content>>()
  const byTestUser = new Map<string, RecordOf<Content>[]>()

  const keep = ({ testUser, clientReference, settlement, content }: NewRecord<Content>): RecordOf<Content> => {
    const providerRef = `${prefix}_${(byProviderRef.size + 1).toString(36).padStart(8, '0')}`
    const record: Waiting = {
      shown: firstShown(providerRef, clientReference),
      settle(status, reason, settledAt) {
        record.shown = final(record.shown, status, reason, settledAt)
        waiting.delete(record)
        if (status === 'failed') onFailed?.(content)
      },
    }
    if (settlement.type === 'settled') record.settle('succeeded', '', clock.now().toISOString())
    if (settlement.type === 'later' || settlement.type === 'vanished') waiting.add(record)
    return {
      testUser,
      providerRef,
      clientReference,
      content,
      keptAtMs: clock.nowMs(),
      first: record.shown,
      show() {
        if (isDue(settlement, clock) && waiting.has(record)) {
          record.settle(settlement.as, settlement.reason, new Date(settlement.atMs).toISOString())
        }
        return settlement.type === 'reopened' ? reopened(record.shown, clock) : record.shown
      },
      isShown: () => settlement.type !== 'vanished' || !waiting.has(record),
    }
  }

  return {
    add(record) {
      const kept = keep(record)
      byProviderRef.set(kept.providerRef, kept)
      append(byReference, kept.clientReference, kept)
      append(byTestUser, kept.testUser, kept)
      return kept
    },
    find(testUser, { clientReference, providerRef }) {
      const found = new Set(clientReference === undefined ? [] : byReference.get(clientReference))
      const named = providerRef === undefined ? undefined : byProviderRef.get(providerRef)
      if (named !== undefined) found.add(named)
      return [...found].filter((kept) => kept.testUser === testUser && kept.isShown())
    },
    listOf: (testUser) => byTestUser.get(testUser) ?? [],
  }
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

type Due = Extract<Settlement, { type: 'later' }> & { readonly atMs: number }

function isDue(settlement: Settlement, clock: Clock): settlement is Due {
  return settlement.type === 'later' && settlement.atMs !== null && clock.nowMs() >= settlement.atMs
}

function firstShown(providerRef: string, clientReference: string): ShownRecord {
  return {
    reference: providerRef,
    client_reference: clientReference,
    status: 'pending',
    settled_at: null,
    failure_code: null,
  }
}

function final(shown: ShownRecord, status: FinalStatus, reason: string, settledAt: string): ShownRecord {
  return { ...shown, status, settled_at: settledAt, failure_code: status === 'failed' ? reason : null }
}

/** A pending record with a settlement time: it returned from a final state. */
function reopened(shown: ShownRecord, clock: Clock): ShownRecord {
  return { ...shown, settled_at: clock.now().toISOString() }
}
