/**
 * The harness of the conformance cases: the adapter under test, its provider, the faults that this provider makes on order, and
 * a count of the mutations that reached it. Each case names the faults that it needs; cases whose faults the harness does not
 * offer are left out.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { ApprovalRequest } from '@financial-agents/provider-port/approval'
import type { CardRevealRequest } from '@financial-agents/provider-port/hosted-session'
import type { Provider, Submission } from '@financial-agents/provider-port/port'

/** A fault that the provider makes on order, with the mutation of one reference. */
export const conformanceFaults = [
  /** Refuses it definitively, without executing it. */
  'refuse',
  /** Fails the mutation definitively because of its content, without executing it. */
  'reject',
  /** Executes it and answers later than the caller waits. */
  'slow',
  /** Executes it and breaks the connection instead of answering. */
  'drop_reply',
  /** Executes it and answers that the provider failed: over HTTP a 500, with the document of a refusal if it has one. */
  'error_reply',
  /** Executes it and answers what nobody can read: a cut document, or a page. */
  'garble_reply',
  /**
   * Receives it, and begins to execute it only after `release`. An adapter that promises about deadlines
   * (`Provider.deadlines`) conforms only over a harness that makes it.
   */
  'hold',
  /** Breaks the connection without executing it. */
  'drop_request',
  /** Answers that the provider failed, without executing it: over HTTP a 5xx, as a gateway before a provider answers. */
  'error_only',
  /** Answers that it is pending, until `settle` makes it final. */
  'settle_later',
  /** Answers that it is pending, and later shows two records of it. */
  'two_records',
  /** Answers that it is pending, and later shows a record that went back from a final state. */
  'reopened',
  /** Approvals only: expires before anybody decides. */
  'expire_approval',
] as const

export type ConformanceFault = (typeof conformanceFaults)[number]

/** The faults after which a caller cannot know at once whether the mutation was executed. */
export const doubtfulFaults = [
  'drop_reply',
  'error_reply',
  'garble_reply',
  'drop_request',
  'error_only',
] as const satisfies readonly ConformanceFault[]

export type ConformanceHarness = {
  readonly provider: Provider
  /** The same adapter, for an address at which nothing listens. */
  readonly unreachable: Provider
  /** The faults that can be ordered. Cases that need another fault are left out. */
  readonly faults: ReadonlySet<ConformanceFault>
  /**
   * The kinds for which the provider keeps the promises of `provider.deadlines`; all kinds if absent. The reads of every other
   * kind must not show the time of the provider.
   */
  readonly deadlineKinds?: ReadonlySet<OperationKind>
  /**
   * A mutation that the provider executes at once, with a reference never used before. The resource that it names exists, and
   * any approval that it needs was given. No two of these mutations name the same resource.
   */
  readonly newSubmission: (kind: OperationKind) => Promise<Submission>
  /** A mutation that a person has to approve first, and has not decided. Undefined if the provider never asks for the kind. */
  readonly newApprovalRequest: (kind: OperationKind) => Promise<(Submission & ApprovalRequest) | undefined>
  /** A reveal of a card that may be shown. */
  readonly newCardReveal: () => Promise<CardRevealRequest>
  /** Orders a fault from now on, for this reference alone. */
  readonly order: (fault: ConformanceFault, reference: string) => Promise<void>
  /** Makes a mutation final that was ordered to settle later. */
  readonly settle: (reference: string, as: 'succeeded' | 'failed') => Promise<void>
  /** Lets a mutation go on that was ordered to be held. Resolves when the provider has decided about it. */
  readonly release: (reference: string) => Promise<void>
  /** Decides as the person at the hosted page. */
  readonly decide: (hostedUrl: string, decision: 'approve' | 'decline') => Promise<void>
  /** The number of mutations of this reference that reached the provider. */
  readonly countArrivals: (reference: string) => Promise<number>
}

/** One guarantee of the port. `run` rejects with an AssertionError if the adapter breaks it. */
export type ConformanceCase = {
  readonly name: string
  /** Faults that the harness has to offer. */
  readonly needs: readonly ConformanceFault[]
  /** The reason why the case does not concern this adapter. `run` then returns at once. */
  readonly leftOut?: (harness: Pick<ConformanceHarness, 'provider' | 'deadlineKinds'>) => string | undefined
  readonly run: (harness: ConformanceHarness) => Promise<void>
}
