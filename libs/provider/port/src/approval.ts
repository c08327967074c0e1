/**
 * The port's part about approvals. The provider accepts some mutations only after the person approved them at its own page.
 * Preparing and polling move nothing. The mutation itself is submitted once, after `granted` or `not_needed`.
 *
 * Invariant: `granted`, `declined`, `expired` and `failed` come from a complete answer of the provider and are final. Any
 * doubt is `unavailable`, and the same request may be repeated.
 */

import type { CallContext, Instruction, ProviderFailureCode } from './call.ts'

/** The mutation as it will be submitted. An approval covers exactly this mutation. */
export type ApprovalRequest = Instruction & {
  /** The hosted page sends the browser in which the person decided to this address, with nothing added. Null: nowhere. */
  readonly returnUrl: string | null
}

export type PreparedApproval =
  /** The same answer for the same `reference`, also after the person decided. */
  | {
      readonly type: 'started'
      /** The provider's reference of the approval, by which it is polled. */
      readonly approval: string
      readonly hostedUrl: string
      readonly expiresAt: Date
      /** At least 1. */
      readonly pollAfterMs: number
    }
  /** The mutation may be submitted without an approval. */
  | { readonly type: 'not_needed' }
  /** Definitive: the provider will not accept the mutation, approved or not. Nothing moved. */
  | { readonly type: 'refused'; readonly failureCode: ProviderFailureCode; readonly failureDetail: string }
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }

export type ApprovalPoll = CallContext & { readonly approval: string }

export type PolledApproval =
  | { readonly type: 'pending' }
  | { readonly type: 'granted' }
  | { readonly type: 'declined' }
  | { readonly type: 'expired' }
  /** The provider will not accept the mutation after all. */
  | { readonly type: 'failed'; readonly failureCode: ProviderFailureCode; readonly failureDetail: string }
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }
