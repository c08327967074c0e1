/**
 * What the conformance cases need around the adapter under test: the provider it speaks to, made to misbehave on order,
 * and a count of what reached it. A provider's sandbox offers what it can; cases that need more than it offers are left
 * out and say so.
 */

import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import type { ApprovalRequest } from '../approval.ts'
import type { CardRevealRequest } from '../hosted-session.ts'
import type { Provider, Submission } from '../port.ts'

/** What the provider can be told to do with the mutation of one reference. */
export const conformanceFaults = [
  /** Refuses it definitively, without executing it. */
  'refuse',
  /** Fails it definitively because of what it says, without executing it. */
  'reject',
  /** Executes it and answers after longer than the caller waits. */
  'slow',
  /** Executes it and breaks the connection instead of answering. */
  'drop_reply',
  /** Breaks the connection without executing it. */
  'drop_request',
  /** Answers that it is pending, until told to settle. */
  'settle_later',
  /** Answers that it is pending, and later shows two records of it. */
  'two_records',
  /** Answers that it is pending, and later shows a record that went back from a final state. */
  'reopened',
  /** Approvals only: over before anybody decides. */
  'expire_approval',
] as const

export type ConformanceFault = (typeof conformanceFaults)[number]

export type ConformanceBench = {
  readonly provider: Provider
  /** The same adapter for an address at which nothing listens. */
  readonly unreachable: Provider
  /** Which faults can be ordered; cases that need another are left out. */
  readonly faults: ReadonlySet<ConformanceFault>
  /**
   * A mutation that the provider executes at once, with a reference never used before: what it names exists, and where a
   * person has to approve it, one has. No two of them are about the same resource.
   */
  readonly newSubmission: (kind: OperationKind) => Promise<Submission>
  /** A mutation that a person has to approve first, undecided; undefined where the provider never asks for the kind. */
  readonly newApprovalRequest: (kind: OperationKind) => Promise<ApprovalRequest | undefined>
  /** A look at a card that may be shown. */
  readonly newCardReveal: () => Promise<CardRevealRequest>
  /** From now on, for this reference alone. */
  readonly order: (fault: ConformanceFault, reference: string) => Promise<void>
  /** Makes final what was ordered to settle later. */
  readonly settle: (reference: string, as: 'succeeded' | 'failed') => Promise<void>
  /** As the person at the hosted page. */
  readonly decide: (hostedUrl: string, decision: 'approve' | 'decline') => Promise<void>
  /** How many mutations of this reference reached the provider. */
  readonly countArrivals: (reference: string) => Promise<number>
}

/** One guarantee of the port. `run` rejects with an AssertionError where the adapter breaks it. */
export type ConformanceCase = {
  readonly name: string
  /** Faults that the provider has to offer. */
  readonly needs: readonly ConformanceFault[]
  readonly run: (bench: ConformanceBench) => Promise<void>
}
