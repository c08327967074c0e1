/**
 * Every mutation that reached this provider, in order of arrival, whatever its outcome. The ledger proves that an
 * operation was submitted at most once. Entries are therefore never left out, merged or dropped by age. An entry holds
 * a digest of the body and never the body.
 */

import { hash } from 'node:crypto'

/** The provider's outcome, and whether the caller could learn it; `received` until it is decided. */
export type LedgerOutcome =
  | 'received'
  | 'executed'
  | 'executed_reply_dropped'
  /** Executed, and answered with a failure or with what nobody can read. */
  | 'executed_reply_malformed'
  | 'rejected'
  | 'refused'
  /** Its deadline had passed before it was executed. */
  | 'expired'
  | 'dropped'
  /** The provider failed before it executed the instruction. */
  | 'failed_inside'
  | 'unauthorized'
  | 'malformed'
  /** The instruction had arrived before, and was not executed again. */
  | 'repeated'

export type LedgerEntry = {
  readonly sequence: number
  readonly received_at: string
  readonly kind: string
  readonly client_reference: string | null
  readonly test_user: string | null
  outcome: LedgerOutcome
  readonly body_sha256: string
}

export type Arrival = Omit<LedgerEntry, 'sequence' | 'outcome' | 'body_sha256'> & { readonly body: string }

export type LedgerSummary = {
  readonly mutations: number
  readonly references: number
  readonly executed: number
  /** References that arrived more than once. Empty if every reference was submitted at most once. */
  readonly repeated: readonly { readonly client_reference: string; readonly count: number }[]
}

export type Ledger = {
  /** Adds an entry as `received`. The caller sets the outcome before it answers. */
  receive(arrival: Arrival): LedgerEntry
  list(clientReference?: string): readonly LedgerEntry[]
  summary(): LedgerSummary
  clear(): void
}

export function createLedger(): Ledger {
  let entries: LedgerEntry[] = []
  return {
    receive({ body, received_at, kind, client_reference, test_user }) {
      const entry: LedgerEntry = {
        sequence: entries.length + 1,
        received_at,
        kind,
        client_reference,
        test_user,
        outcome: 'received',
        body_sha256: hash('sha256', body, 'hex'),
      }
      entries.push(entry)
      return entry
    },
    list(clientReference) {
      if (clientReference === undefined) return entries
      return entries.filter((entry) => entry.client_reference === clientReference)
    },
    summary: () => summaryOf(entries),
    clear() {
      entries = []
    },
  }
}

const executedOutcomes: ReadonlySet<LedgerOutcome> = new Set([
  'executed',
  'executed_reply_dropped',
  'executed_reply_malformed',
])

function summaryOf(entries: readonly LedgerEntry[]): LedgerSummary {
  const counts = new Map<string, number>()
  let executed = 0
  for (const { client_reference, outcome } of entries) {
    if (executedOutcomes.has(outcome)) executed += 1
    if (client_reference !== null) counts.set(client_reference, (counts.get(client_reference) ?? 0) + 1)
  }
  const repeated = [...counts]
    .filter(([, count]) => count > 1)
    .map(([client_reference, count]) => ({ client_reference, count }))
  return { mutations: entries.length, references: counts.size, executed, repeated }
}
