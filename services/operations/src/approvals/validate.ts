/**
 * Validates the provider's answer about an open approval. Pure.
 *
 * Invariant: an operation with an open approval ends in three ways only:
 * - the provider gives its own complete answer;
 * - a question asked after the page expired gets an answer other than `granted`; the refusal of a connection that the provider
 *   no longer knows counts as one;
 * - a fence stops the operation, of which nothing has been sent.
 * A missing answer ends nothing, however long it stays missing.
 */

import type { FailureCode } from '@financial-agents/contract/failure-codes'
import type { OperationEvent } from '@financial-agents/contract/machine'
import type { Operation } from '@financial-agents/contract/schemas/operation'
import type { PolledApproval, PreparedApproval } from '@financial-agents/provider-port/approval'
import { storableText } from '@financial-agents/provider-port/storable'
import type { OpenApproval } from './item.ts'

export type Answer = PreparedApproval | PolledApproval

export type Outcome = {
  type: 'outcome'
  state: 'granted' | 'declined' | 'expired' | 'failed'
  event: Extract<OperationEvent, `approval_${string}`>
  failure_code: FailureCode | null
  failure_detail: string | null
}

export type Result =
  | Outcome
  /** The owner can decide at the provider's page. */
  | { type: 'started'; approval: string; action: NonNullable<Operation['action_required']>; nextCheckAt: Date }
  | { type: 'later'; nextCheckAt: Date; failures: number }

export type Pauses = {
  /** The pause after the first unanswered question. */
  retryMs: number
  longestMs: number
}

const granted = outcome('granted', 'approval_granted')
const declined = outcome('declined', 'approval_declined', {
  code: 'approval_declined',
  detail: 'The owner declined it at the provider; nothing was sent.',
})
const expired = outcome('expired', 'approval_expired', {
  code: 'approval_expired',
  detail: 'It was not approved at the provider in time; nothing was sent.',
})

/** The end of an approval under a fence. The claim would cancel the operation even if the owner approved it. */
export const withdrawn = outcome('expired', 'approval_expired', {
  code: 'authority_withdrawn',
  detail: 'The authority had ended before anything was sent.',
})

/** @param at.asked the time of the question; `at.now` is the time of the answer */
export function validate(item: OpenApproval, answer: Answer, at: { asked: Date; now: Date }, pauses: Pauses): Result {
  switch (answer.type) {
    case 'not_needed':
    case 'granted':
      return granted
    case 'declined':
      return declined
    case 'expired':
      return expired
    case 'refused':
    case 'failed': {
      const { failureCode: code, failureDetail } = answer
      return outcome('failed', 'approval_failed', { code, detail: storableText(failureDetail) })
    }
    case 'started':
      return start(answer, at.now)
    case 'pending':
      if (isOver(item, at.asked)) return expired
      return { type: 'later', nextCheckAt: nextPoll(item, at.now, pauses), failures: 0 }
    default: {
      // The owner has disconnected, so the provider will never give another answer.
      if (answer.reason === 'provider_authentication_failed' && isOver(item, at.asked)) return expired
      const pauseMs = Math.min(pauses.longestMs, pauses.retryMs * 2 ** Math.min(item.failures, 20))
      return { type: 'later', nextCheckAt: after(at.now, pauseMs), failures: item.failures + 1 }
    }
  }
}

function isOver({ expires_at }: OpenApproval, at: Date): boolean {
  return expires_at !== null && at >= expires_at
}

function start(answer: Extract<Answer, { type: 'started' }>, now: Date): Result {
  const { approval, hostedUrl, expiresAt, pollAfterMs } = answer
  return {
    type: 'started',
    approval,
    action: {
      kind: 'grant_approval',
      url: hostedUrl,
      expires_at: expiresAt.toISOString(),
      poll_after_ms: pollAfterMs,
    },
    nextCheckAt: earlier(after(now, pollAfterMs), expiresAt),
  }
}

/** Polls less often the longer the owner takes. One poll is always due when the page expires. */
function nextPoll(item: OpenApproval, now: Date, { longestMs }: Pauses): Date {
  const ageMs = now.getTime() - item.created_at.getTime()
  const next = after(now, Math.max(item.poll_after_ms ?? 0, Math.min(longestMs, ageMs / 4)))
  return item.expires_at !== null && item.expires_at > now ? earlier(next, item.expires_at) : next
}

function outcome(
  state: Outcome['state'],
  event: Outcome['event'],
  failure?: { code: FailureCode; detail: string },
): Outcome {
  return { type: 'outcome', state, event, failure_code: failure?.code ?? null, failure_detail: failure?.detail ?? null }
}

function after(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms)
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b
}
