/**
 * Fault scripts: what the provider does wrong on purpose, chosen through the control API and by nothing in the data.
 * The oldest script that matches a mutation and is not used up applies; one mutation uses one.
 */

import { z } from 'zod'

export const faultScripts = [
  /** Refuses without executing: 403 with a refusal document. */
  'refuse',
  /** Fails definitively, without executing: 422 with a reason. */
  'fail',
  /** Executes at once and answers late (`delay_ms`). */
  'slow',
  /** Executes, then breaks the connection instead of answering. */
  'accept_drop_reply',
  /** Breaks the connection without executing. */
  'drop_before_accept',
  /** Answers that it is pending; final after `settle_after_ms` or when told to settle. */
  'settle_later',
  /** Answers that it is pending, and stays so whatever happens. */
  'never_settle',
  /** Answers that it is pending; then no read shows it until it is told to settle. */
  'vanish',
  /** Answers that it is pending; a later read contradicts itself (`contradiction`). */
  'contradict',
  /** A hosted page that is over before anybody sees it. */
  'expire',
  /** A device authentication or an approval that is declined without anybody's doing. */
  'decline',
  /** An approval that is granted without anybody's doing. */
  'approve',
  /** An approval that is not needed after all. */
  'waive',
  /** Answers with what was asked for in a shape that was never promised. */
  'malform',
] as const

type FaultScript = (typeof faultScripts)[number]

const Reason = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/)
const DurationMs = z.int().nonnegative().max(2_000_000_000)

export const FaultOptions = z.strictObject({
  /** slow: how long the answer takes. */
  delay_ms: DurationMs.default(1000),
  /** settle_later: when it becomes final by the provider's clock; null waits for POST /control/settle. */
  settle_after_ms: DurationMs.nullable().default(null),
  /** settle_later: what it becomes by itself. */
  settle_as: z.enum(['active', 'failed']).default('active'),
  /** fail, and settle_as failed: the reason given. */
  reason: Reason.default('account_closed'),
  /** contradict: two records with different final states, or one that went back from a final state. */
  contradiction: z.enum(['two_records', 'reopened']).default('two_records'),
})

const quiet = ['drop_before_accept', 'refuse', 'slow'] as const
const reads = [...quiet, 'malform'] as const
const starts = [...quiet, 'accept_drop_reply', 'expire'] as const

/** Calls that are no mutations, and which scripts make sense for each. They apply only where `match.kind` names them. */
const quietKinds = {
  approval: [...starts, 'fail', 'decline', 'approve', 'waive'],
  approval_read: [...reads, 'fail'],
  card_reveal: [...starts, 'fail'],
  device_authentication: [...starts, 'decline'],
  device_authentication_read: reads,
  account_read: reads,
  activity_read: reads,
  assets_read: reads,
  economics_read: reads,
  identity_check: starts,
  identity_read: reads,
  prices_read: reads,
  purchase_quote: reads,
  purchases_read: reads,
  /** Payout schemas and countries. */
  reference_read: reads,
  /** Every search of records. */
  search: reads,
  services_read: reads,
  transfer_quote: reads,
} as const satisfies Record<string, readonly FaultScript[]>

const quietScripts: ReadonlySet<FaultScript> = new Set(['expire', 'decline', 'approve', 'waive', 'malform'])

export const FaultRequest = z
  .strictObject({
    script: z.enum(faultScripts),
    /**
     * Every member given must be equal; none given matches every mutation. `name` is whom a mutation names; of any other
     * call the id of the persona who asks.
     */
    match: z.strictObject({ kind: z.string(), client_reference: z.string(), name: z.string() }).partial().default({}),
    /** How many calls it applies to; without it, all until cleared. */
    times: z.int().positive().optional(),
    options: FaultOptions.prefault({}),
  })
  .refine(({ script, match }) => isOffered(script, match.kind), {
    path: ['script'],
    error: 'not a script of this kind of call',
  })

function isOffered(script: FaultScript, kind: string | undefined): boolean {
  if (kind !== undefined && kind in quietKinds)
    return (quietKinds[kind as keyof typeof quietKinds] as readonly FaultScript[]).includes(script)
  return !quietScripts.has(script)
}

export type FaultRequest = z.infer<typeof FaultRequest>
export type FaultOptions = z.infer<typeof FaultOptions>

export type Fault = FaultRequest & { readonly fault_id: number; used: number }

export type CallFacts = { readonly kind: string; readonly clientReference: string; readonly name: string | null }

export type Faults = {
  add(request: FaultRequest): Fault
  list(): readonly Fault[]
  clear(): void
  /** Picks the script for one mutation and uses it up by one. */
  take(facts: CallFacts): Fault | undefined
  /** The same for a call that is no mutation: only a script whose `match` names its kind. */
  takeNamed(facts: CallFacts): Fault | undefined
}

export function createFaults(): Faults {
  let faults: Fault[] = []
  let nextId = 1
  const take = (applies: (fault: Fault) => boolean): Fault | undefined => {
    const fault = faults.find((candidate) => isLeft(candidate) && applies(candidate))
    if (fault !== undefined) fault.used += 1
    return fault
  }
  return {
    add(request) {
      const fault = { ...request, fault_id: nextId++, used: 0 }
      faults.push(fault)
      return fault
    },
    list: () => faults,
    clear() {
      faults = []
    },
    take: (facts) => take((fault) => matches(fault, facts)),
    takeNamed: (facts) => take((fault) => fault.match.kind !== undefined && matches(fault, facts)),
  }
}

function isLeft({ times, used }: Fault): boolean {
  return times === undefined || used < times
}

function matches({ match }: Fault, { kind, clientReference, name }: CallFacts): boolean {
  return (
    (match.kind === undefined || match.kind === kind) &&
    (match.client_reference === undefined || match.client_reference === clientReference) &&
    (match.name === undefined || match.name === name)
  )
}
