/** The states of an operation, and why it failed, for the person whose money it is. */

import type { OwnerOperation } from '@financial-agents/bus/messages/owner-activity'
import type { FailureCode } from '@financial-agents/contract/failure-codes'
import { hasMessage, type MessageKey } from '@financial-agents/pages/messages'
import type { Tone } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'

export type StateWords = {
  tone: Tone
  word: string
  /** An explanation beyond the word. */
  more: string | undefined
}

type State = OwnerOperation['state']

const tones: { readonly [S in State]: Tone } = {
  requires_action: 'warning',
  accepted: 'neutral',
  submitting: 'neutral',
  submitted: 'neutral',
  indeterminate: 'warning',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'neutral',
}

export function stateWordsOf(state: State, reader: Reader): StateWords {
  const more = hasMessage('operationStatesMore', state) ? reader.say('operationStatesMore')(state) : undefined
  return { tone: tones[state], word: reader.say('operationStates')(state), more }
}

/**
 * Returns the words for an operation. An approval is not asked for while nobody can give it: the provider has not
 * prepared it yet, or the access has ended.
 */
export function operationWordsOf(
  { state, approval }: Pick<OwnerOperation, 'state' | 'approval'>,
  reader: Reader,
): StateWords {
  const words = stateWordsOf(state, reader)
  return state === 'requires_action' && !approval ? { ...words, more: undefined } : words
}

/** Returns the words for the reason of a failure, a cancellation or an uncertain outcome; undefined if there is nothing to say. */
export function whyWords(
  { state, failure_code }: Pick<OwnerOperation, 'state' | 'failure_code'>,
  reader: Reader,
): string | undefined {
  const why = failure_code === null ? undefined : failures[failure_code]
  const isSaid =
    state === 'indeterminate' ? why === 'unclear' : (state === 'failed' || state === 'cancelled') && why !== 'unclear'
  return isSaid && why !== undefined ? reader.say('operationFailures')(why) : undefined
}

const failures: { readonly [C in FailureCode]: MessageKey<'operationFailures'> } = {
  operation_kind_unsupported: 'notSent',
  submission_invalid: 'notSent',
  provider_unreachable: 'notSent',
  provider_refused: 'refused',
  provider_rejected_details: 'refused',
  provider_authentication_failed: 'refused',
  provider_identity_required: 'identity',
  provider_settlement_failed: 'settlement',
  authority_withdrawn: 'withdrawn',
  submission_expired: 'late',
  approval_declined: 'declined',
  approval_expired: 'notApproved',
  provider_timeout: 'unclear',
  provider_connection_lost: 'unclear',
  provider_error: 'unclear',
  provider_response_invalid: 'unclear',
  attempt_interrupted: 'unclear',
  provider_evidence_ambiguous: 'unclear',
  provider_record_missing: 'unclear',
}
