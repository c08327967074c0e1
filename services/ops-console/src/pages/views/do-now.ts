/**
 * The next step of the operator who looks at an operation: what holds it, the page of the runbooks, and the words for the
 * provider. Nothing here decides the operation.
 */

import { kindFacts } from '@financial-agents/contract/kinds'
import { isTerminal } from '@financial-agents/contract/machine'
import type { OperatorOperationDetail } from '@financial-agents/contract/schemas/operator'
import { type Html, html } from '@financial-agents/pages/html'
import { duration } from '@financial-agents/pages/times'
import type { OutsideLinks } from '../outside-links.ts'

type Advice = {
  holds: string
  step: string
  /** The name of a page of the runbooks. */
  runbook?: string
  /** True if only the provider knows what became of the operation. */
  asksProvider?: boolean
}

const minuteMs = 60_000

/** The time that an operation may be in a state before the page asks an operator to look at it. */
const patienceMs = {
  accepted: minuteMs,
  submitting: 2 * minuteMs,
  submitted: 60 * minuteMs,
  indeterminate: 10 * minuteMs,
}

export function adviceOn({ state, review, updated_at }: OperatorOperationDetail, now: Date): Advice {
  const heldMs = now.getTime() - Date.parse(updated_at)
  if (isTerminal(state)) return { holds: 'Nothing: it is final.', step: 'Nothing.' }
  if (state === 'requires_action')
    return {
      holds: 'The owner’s approval at the provider.',
      step: 'Nothing: only the owner can approve or decline it.',
    }
  if (review)
    return {
      holds: 'Proof: reads alone do not tell what became of it.',
      step: 'Ask the provider, in the words below. Reads go on and settle it once they find proof.',
      runbook: 'ManualReviewsWaiting',
      asksProvider: true,
    }
  const isLong = heldMs > patienceMs[state]
  if (state === 'accepted')
    return isLong
      ? {
          holds: 'The submitter, which has not claimed it.',
          step: 'Look after the submitter.',
          runbook: 'OperationsUnclaimed',
        }
      : { holds: 'The submitter’s queue.', step: 'Wait a minute.' }
  if (state === 'submitting')
    return isLong
      ? {
          holds: 'An attempt without an answer.',
          step: 'Look after the submitter.',
          runbook: 'SubmitterSlotsExhausted',
        }
      : { holds: 'The provider’s answer.', step: 'Wait: the attempt ends by itself.' }
  if (!isLong) return { holds: 'The next read at the provider.', step: 'Wait: most are settled by the first reads.' }
  return {
    holds: 'The provider, which does not show how it ended.',
    step: 'See if the provider is ill; then ask it, in the words below.',
    runbook: state === 'indeterminate' ? 'OperationsIndeterminateOld' : 'ReconcilerReadsOverdue',
    asksProvider: true,
  }
}

export function doNow(operation: OperatorOperationDetail, links: OutsideLinks, now: Date): Html {
  const { holds, step, runbook, asksProvider } = adviceOn(operation, now)
  const page = runbook === undefined ? null : links.runbook(runbook)
  return html`<p><strong>What holds it:</strong> ${holds}</p>
<p><strong>What you do:</strong> ${step}${
    runbook === undefined
      ? ''
      : page === null
        ? html` Runbook: <code>${runbook}</code>.`
        : html` Runbook: <a href="${page}">${runbook}</a>.`
  }</p>${
    asksProvider
      ? html`<h3>Words for the provider</h3><pre class="words" tabindex="0" role="region" aria-label="Words for the provider">${wordsForProvider(operation, now)}</pre>`
      : ''
  }`
}

/** Names the operation by references, time and amount alone: no name and no account of a person. */
export function wordsForProvider(operation: OperatorOperationDetail, now: Date): string {
  const { id, kind, upstream_reference, payment, history, failure_code, state, updated_at } = operation
  const sentAt = history.findLast(({ to }) => to === 'submitting')?.at
  const lines = [
    `Our reference: ${id}`,
    `Your reference: ${upstream_reference ?? 'we have none'}`,
    `What: ${kindFacts[kind].operatorWord}${payment ? `, ${payment.amount} ${payment.currency}` : ''}`,
    `Sent at: ${sentAt ?? 'unknown'} (UTC)`,
    state === 'indeterminate'
      ? `We do not know whether you executed it${failure_code ? ` (${failure_code})` : ''}, since ${updated_at}.`
      : `You accepted it and show no outcome, since ${updated_at}.`,
    `Asked as of ${now.toISOString()}: did you execute it? Please do not execute it again. We never send it again.`,
  ]
  return lines.join('\n')
}

/** The line that tells how long the operation has been in its state. */
export function heldFor({ updated_at }: OperatorOperationDetail, now: Date): string {
  return duration(Math.max(0, now.getTime() - Date.parse(updated_at)))
}
