/**
 * Words for the states of an operation, for the person whose money it is. `operation-machine/kind-words` has the words
 * for kinds.
 */

import type { OwnerOperation } from '@financial-agents/bus/messages/owner-activity'
import type { FailureCode } from '@financial-agents/contract/failure-codes'
import type { Tone } from '@financial-agents/pages/parts'

export type StateWords = {
  tone: Tone
  word: string
  /** An explanation beyond the word. */
  more?: string
}

export const stateWords: { readonly [S in OwnerOperation['state']]: StateWords } = {
  requires_action: {
    tone: 'warning',
    word: 'Waiting for you',
    more: 'Your provider asks for your approval. The application was told where you give it.',
  },
  accepted: {
    tone: 'neutral',
    word: 'Accepted',
    more: 'It waits to be sent to your provider, or is being sent just now.',
  },
  submitting: {
    tone: 'neutral',
    word: 'Being sent',
    more: 'We have begun to send it and do not know yet what your provider says.',
  },
  submitted: {
    tone: 'neutral',
    word: 'At your provider',
    more: 'Your provider has it. We do not know yet how it ends.',
  },
  indeterminate: {
    tone: 'warning',
    word: 'Not known yet',
    more: 'We do not know yet whether your provider did this. We keep asking until it is proven, however long that takes; nothing will be sent again.',
  },
  succeeded: { tone: 'good', word: 'Done' },
  failed: { tone: 'bad', word: 'Failed' },
  cancelled: { tone: 'neutral', word: 'Cancelled before it was sent' },
}

const notSent = 'It could not be sent, so nothing happened.'
const refused = 'Your provider refused it. Nothing happened there.'
const unclear = 'Your provider has not said clearly yet whether it took it.'

/** Why an operation failed, was cancelled, or is uncertain; undefined if there is nothing to say. */
export function whyWords({ state, failure_code }: Pick<OwnerOperation, 'state' | 'failure_code'>): string | undefined {
  const words = failure_code === null ? undefined : failureWords[failure_code]
  if (state === 'indeterminate') return words === unclear ? words : undefined
  return (state === 'failed' || state === 'cancelled') && words !== unclear ? words : undefined
}

const failureWords: { readonly [C in FailureCode]: string } = {
  operation_kind_unsupported: notSent,
  submission_invalid: notSent,
  provider_unreachable: notSent,
  provider_refused: refused,
  provider_rejected_details: refused,
  provider_authentication_failed: refused,
  provider_identity_required: 'Your provider first wants to know who you are. Nothing happened there.',
  provider_settlement_failed: 'Your provider took it and said later that it had failed.',
  authority_withdrawn:
    'It was stopped before it was sent: the access, the connection or the repeated payments had ended.',
  submission_expired: 'Your provider did not begin it in time, and will not do it now.',
  approval_declined: 'You declined it at your provider. Nothing was sent.',
  approval_expired: 'You did not approve it at your provider in time. Nothing was sent.',
  provider_timeout: unclear,
  provider_connection_lost: unclear,
  provider_error: unclear,
  provider_response_invalid: unclear,
  attempt_interrupted: unclear,
  provider_evidence_ambiguous: unclear,
  provider_record_missing: unclear,
}
