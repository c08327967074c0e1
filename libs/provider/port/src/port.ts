/**
 * The provider port: everything that the system asks of a provider. An adapter implements `Provider`; only the adapter
 * knows the provider's own words.
 *
 * Invariant: one call of `submit` puts the mutation on the wire at most once, and every outcome says no more than the
 * adapter can prove. Doubt is always `uncertain`, `ambiguous` or `unavailable`; an adapter never throws for anything
 * that the provider or the network does.
 */

import type { OperationKind } from '@financial-agents/contract/kinds'
import type { ApprovalPoll, ApprovalRequest, PolledApproval, PreparedApproval } from './approval.ts'
import type { CallContext, Instruction, ProviderFailureCode, ResourceFacts, SubmissionTarget } from './call.ts'
import type {
  DeviceAuthenticationPoll,
  DeviceAuthenticationStart,
  PolledDeviceAuthentication,
  StartedDeviceAuthentication,
} from './device-authentication.ts'
import type { CardRevealRequest, IdentityCheckRequest, StartedHostedSession } from './hosted-session.ts'
import type { ProviderReads } from './reads.ts'

export {
  type AnonymousCallContext,
  type CallContext,
  type Instruction,
  type ProviderFailureCode,
  providerFailureCodes,
  type ReadResult,
  type ResourceFacts,
  type SubmissionTarget,
} from './call.ts'

/** One mutation that is submitted now. */
export type Submission = Instruction & {
  /**
   * The deadline: the provider may begin to execute the mutation until this time, and not after it. It is committed before
   * this call and is the same in every event about the submission.
   */
  readonly validUntil: Date
}

/**
 * The promises by which "not found" proves that a mutation was not executed and never will be (write protocol, rule 19).
 * They are taken from the provider's contract. A read then proves it if it began later than `validUntil` and
 * `clockMarginMs`, by the provider's own clock.
 */
export type DeadlinePromise = {
  /**
   * The provider compares `validUntil` with its clock when it begins to execute, not when it receives. After that time it
   * executes nothing, however late a request arrives and however long it waited inside.
   */
  readonly refusesAfterDeadline: boolean
  /** A read by our reference shows every mutation of the reference that the provider has begun to execute. */
  readonly completeByReference: boolean
  /**
   * The largest difference between the clock by which the provider refuses and the clock that its reads show, together with
   * the time after which a read certainly shows a mutation that has begun. Milliseconds.
   */
  readonly clockMarginMs: number
}

/** Outcome of the one attempt. `failureDetail` is our own text: public, without personal data. */
export type SubmitOutcome =
  /** The provider executed the mutation; this is final. */
  | { readonly type: 'succeeded'; readonly upstreamReference: string; readonly resource?: ResourceFacts }
  /** The provider accepted the mutation; final settlement is pending. */
  | { readonly type: 'submitted'; readonly upstreamReference: string }
  /** Definitive: the provider did not execute the mutation and will not. */
  | { readonly type: 'failed'; readonly failureCode: ProviderFailureCode; readonly failureDetail: string }
  /** Proven: no byte of the request was sent, and none will be. */
  | { readonly type: 'unsent'; readonly failureCode: 'provider_unreachable'; readonly failureDetail: string }
  /** Some of the request may have been sent. Only reads may follow. */
  | { readonly type: 'uncertain'; readonly failureCode: ProviderFailureCode; readonly failureDetail: string }

export type LookupRequest = CallContext & {
  readonly kind: OperationKind
  readonly reference: string
  /** The provider's own reference, if an answer gave it; else null. */
  readonly upstreamReference: string | null
  /**
   * As in the submission, if it is known. Proof by our reference does not need it. With it, a final state of the resource
   * (a closed card, a revoked mandate) proves too.
   */
  readonly target?: SubmissionTarget | undefined
}

/**
 * Result of a read by our reference. `read` names the read (`beneficiary_by_reference`). `observed` is the canonical text of
 * its answer, which is hashed as evidence: equal facts give equal text, and it holds no personal data.
 */
export type LookupResult =
  | {
      readonly type: 'found'
      readonly read: string
      readonly state: 'pending' | 'succeeded' | 'failed'
      readonly upstreamReference: string
      /** Present exactly when `state` is `failed`. */
      readonly failureCode?: ProviderFailureCode
      /** As in the outcome; only when `state` is `succeeded`. */
      readonly resource?: ResourceFacts
      readonly observed: string
    }
  /**
   * The provider shows no record now. This proves that it did not and will not execute only under a `DeadlinePromise`. It
   * needs a complete answer; an incomplete one is `unavailable`.
   */
  | {
      readonly type: 'not_found'
      readonly read: string
      readonly observed: string
      /**
       * The provider's own clock at any moment of this read, as its answer says (a member, or `Date`). Without it the read
       * proves nothing. Absent if the provider does not keep its promise for this answer.
       */
      readonly providerTime?: Date
    }
  /** More than one record, or a record that contradicts the request or itself. An operator has to look at it. */
  | { readonly type: 'ambiguous'; readonly read: string; readonly reason: string; readonly observed: string }
  /** The read itself failed; it proves nothing and may be repeated. */
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }

/** The interface that every provider adapter implements. */
export type Provider = ProviderReads & {
  /** False if the adapter has no row for the kind: ask before claiming. */
  supports(kind: OperationKind): boolean
  /** The provider's promises about deadlines; null if its contract makes none. */
  readonly deadlines: DeadlinePromise | null
  /** The one attempt. No retries, no redirects; resolves within `timeoutMs` and a tick. */
  submit(submission: Submission): Promise<SubmitOutcome>
  /** Proof by a read; moves nothing. */
  lookup(request: LookupRequest): Promise<LookupResult>
  /** True if `prepareApproval` may ask for a person: an operation of the kind then starts in `requires_action`. */
  mayAskApproval(kind: OperationKind): boolean
  /** Asks whether a person has to approve the mutation, and where; moves nothing, idempotent by `reference`. */
  prepareApproval(request: ApprovalRequest): Promise<PreparedApproval>
  /** Reads the state of an approval; moves nothing. */
  pollApproval(request: ApprovalPoll): Promise<PolledApproval>
  /** Opens the provider's page that shows a card's number; moves nothing, idempotent by `reference`. */
  startCardReveal(request: CardRevealRequest): Promise<StartedHostedSession>
  /** Opens the provider's page for the check of a person's identity; moves nothing, idempotent by `reference`. */
  startIdentityCheck(request: IdentityCheckRequest): Promise<StartedHostedSession>
  /** Starts a device authentication; moves nothing. */
  startDeviceAuthentication(request: DeviceAuthenticationStart): Promise<StartedDeviceAuthentication>
  /** Reads the state of a device authentication; moves nothing. */
  pollDeviceAuthentication(request: DeviceAuthenticationPoll): Promise<PolledDeviceAuthentication>
  /** Waits for the calls in flight, then closes the connections. */
  close(): Promise<void>
}
