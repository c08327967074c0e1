/**
 * The port's part about approvals: some mutations are only taken once the person has approved them at the provider's own
 * page. Preparing and polling move nothing; the mutation is still submitted, once, after `granted` or `not_needed`.
 *
 * Invariant: `granted`, `declined`, `expired` and `failed` are the provider's own complete words and final. Any doubt is
 * `unavailable`, after which the same may be asked again.
 */

import type { CallContext, ProviderFailureCode, Submission } from './port.ts'

/** The mutation as it will be submitted; an approval covers exactly it. */
export type ApprovalRequest = Submission & {
  /** Where the hosted page sends the browser in which it was decided, with nothing added; null: nowhere. */
  readonly returnUrl: string | null
}

export type PreparedApproval =
  /** The same again for the same `reference`, whatever was decided meanwhile. */
  | {
      readonly type: 'started'
      /** The provider's reference of the approval, by which it is polled. */
      readonly approval: string
      readonly hostedUrl: string
      readonly expiresAt: Date
      /** At least 1. */
      readonly pollAfterMs: number
    }
  /** It may be submitted as it is. */
  | { readonly type: 'not_needed' }
  /** Definitive: the provider will not take the mutation, approved or not. Nothing moved. */
  | { readonly type: 'refused'; readonly failureCode: ProviderFailureCode; readonly failureDetail: string }
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }

export type ApprovalPoll = CallContext & { readonly approval: string }

export type PolledApproval =
  | { readonly type: 'pending' }
  | { readonly type: 'granted' }
  | { readonly type: 'declined' }
  | { readonly type: 'expired' }
  /** The provider will not take the mutation after all. */
  | { readonly type: 'failed'; readonly failureCode: ProviderFailureCode; readonly failureDetail: string }
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }
