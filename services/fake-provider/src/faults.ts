/**
 * Fault scripts: deliberate faults of the provider. Only the control API chooses them; values in the data never do. For
 * each mutation, the oldest matching script that is not used up applies, and is used once.
 */

import { paymentKinds } from '@financial-agents/contract/kinds'
import { type ProviderCall, providerCalls } from '@financial-agents/provider-http/api/calls'
import { allReads } from '@financial-agents/provider-port/reads'
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
  /** Executes, then answers 500 with the document of a refusal, which is none by its status. */
  'accept_error_reply',
  /** Executes, then answers with half of the document. */
  'accept_garble_reply',
  /** Keeps the mutation until `POST /control/release`, and begins to execute it only then. */
  'hold',
  /** Breaks the connection without executing. */
  'drop_before_accept',
  /** Answers 503 as a gateway before the provider does, without executing. */
  'error_before_accept',
  /** Answers pending. The record becomes final after `settle_after_ms`, or on request. */
  'settle_later',
  /** Answers pending, and stays pending for ever. */
  'never_settle',
  /** Answers pending. No read then shows the record until it is settled on request. */
  'vanish',
  /** Answers pending. A later read contradicts itself (`contradiction`). */
  'contradict',
  /** A hosted page that has expired before anybody opens it. */
  'expire',
  /** A device authentication or an approval that is declined without a person. */
  'decline',
  /** An approval that is granted without a person. */
  'approve',
  /** An approval that turns out not to be needed. */
  'waive',
  /** Answers with the correct contents in an undocumented shape. */
  'malform',
] as const

type FaultScript = (typeof faultScripts)[number]

const Reason = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/)
const DurationMs = z.int().nonnegative().max(2_000_000_000)

export const FaultOptions = z.strictObject({
  /** slow: the duration of the answer. */
  delay_ms: DurationMs.default(1000),
  /** settle_later: the time until the record is final, by the provider's clock; null waits for POST /control/settle. */
  settle_after_ms: DurationMs.nullable().default(null),
  /** settle_later: the final status if no request settles the record. */
  settle_as: z.enum(['succeeded', 'failed']).default('succeeded'),
  /** fail, and settle_as failed: the reason. */
  reason: Reason.default('account_closed'),
  /** contradict: two records with different final states, or one record that returns from a final state. */
  contradiction: z.enum(['two_records', 'reopened']).default('two_records'),
})

const quiet = ['drop_before_accept', 'refuse', 'slow'] as const
const reads = [...quiet, 'malform'] as const
const starts = [...quiet, 'accept_drop_reply', 'expire'] as const

/** The kinds of the mutations: those of the operations. */
const mutationKinds = Object.values<ProviderCall>(providerCalls).flatMap(({ kind }) => kind ?? [])

/**
 * Calls that are not mutations, each with its possible scripts. A read has the name of the port. A script applies to them only if `match.kind` names the
 * call.
 */
const quietKinds: Readonly<Record<string, readonly FaultScript[]>> = {
  ...Object.fromEntries(allReads.map(([name]) => [name, reads])),
  approval: [...starts, 'fail', 'decline', 'approve', 'waive'],
  approval_read: [...reads, 'fail'],
  card_reveal: [...starts, 'fail'],
  device_authentication: [...starts, 'decline'],
  device_authentication_read: reads,
  identity_check: starts,
  /** Searches records of any kind. */
  search: reads,
}

const quietScripts: ReadonlySet<FaultScript> = new Set(['expire', 'decline', 'approve', 'waive', 'malform'])

const mutationScripts = faultScripts.filter((script) => !quietScripts.has(script))

/** Payments of either kind, as people name them. */
const payment = 'payment'
const isPayment = (kind: string) => (paymentKinds as readonly string[]).includes(kind)

/** The scripts of every kind of call. */
const scriptsOf: ReadonlyMap<string, readonly FaultScript[]> = new Map<string, readonly FaultScript[]>([
  [payment, mutationScripts],
  ...mutationKinds.map((kind) => [kind, mutationScripts] as const),
  ...Object.entries(quietKinds),
])

const Kind = z.string().refine((kind) => scriptsOf.has(kind), {
  error: ({ input }) => `there is no kind "${String(input)}"; there are ${[...scriptsOf.keys()].join(', ')}`,
})

export const FaultRequest = z
  .strictObject({
    script: z.enum(faultScripts, {
      error: ({ input }) => `there is no fault "${String(input)}"; there are ${faultScripts.join(', ')}`,
    }),
    /**
     * All given members must be equal; an empty object matches every mutation. `name` is the person whom a mutation
     * names. For other calls it is the id of the test user who asks.
     */
    match: z.strictObject({ kind: Kind, client_reference: z.string(), name: z.string() }).partial().default({}),
    /** The number of calls to which the script applies; by default all until it is cleared. */
    times: z.int().positive().optional(),
    options: FaultOptions.prefault({}),
  })
  .superRefine(({ script, match: { kind } }, context) => {
    const scripts = kind === undefined ? mutationScripts : scriptsOf.get(kind)
    // An unknown kind is refused by itself.
    if (scripts === undefined || scripts.includes(script)) return
    const call = kind ?? 'every mutation'
    context.addIssue({
      code: 'custom',
      path: ['script'],
      message: `${script} is no fault of ${call}, which has ${scripts.join(', ')}`,
    })
  })

export type FaultRequest = z.infer<typeof FaultRequest>
export type FaultOptions = z.infer<typeof FaultOptions>

export type Fault = FaultRequest & { readonly fault_id: number; used: number }

export type CallFacts = { readonly kind: string; readonly clientReference: string; readonly name: string | null }

export type Faults = {
  add(request: FaultRequest): Fault
  list(): readonly Fault[]
  clear(): void
  /** Selects the script for one mutation, and counts one use. */
  take(facts: CallFacts): Fault | undefined
  /** Does the same for a call that is not a mutation. Only a script whose `match` names the call's kind applies. */
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
    (match.kind === undefined || match.kind === kind || (match.kind === payment && isPayment(kind))) &&
    (match.client_reference === undefined || match.client_reference === clientReference) &&
    (match.name === undefined || match.name === name)
  )
}
