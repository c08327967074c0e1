/**
 * The next step of the operator who looks at an operation: what holds it, the page of the runbooks, and the words for the
 * provider. Nothing here decides the operation.
 */

import { kindFacts } from '@financial-agents/contract/kinds'
import { isTerminal } from '@financial-agents/contract/machine'
import type { OperatorOperationDetail } from '@financial-agents/contract/schemas/operator'
import { type Html, html } from '@financial-agents/pages/html'
import texts from '../../../messages/en.json' with { type: 'json' }
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
  if (isTerminal(state)) return { holds: texts.doNow.final, step: texts.doNow.nothing }
  if (state === 'requires_action')
    return {
      holds: texts.doNow.approval,
      step: texts.doNow.onlyOwner,
    }
  if (review)
    return {
      holds: texts.doNow.proof,
      step: texts.doNow.askProvider,
      runbook: 'ManualReviewsWaiting',
      asksProvider: true,
    }
  const isLong = heldMs > patienceMs[state]
  if (state === 'accepted')
    return isLong
      ? {
          holds: texts.doNow.unclaimed,
          step: texts.doNow.lookAfterSubmitter,
          runbook: 'OperationsUnclaimed',
        }
      : { holds: texts.doNow.queue, step: texts.doNow.waitMinute }
  if (state === 'submitting')
    return isLong
      ? {
          holds: texts.doNow.unanswered,
          step: texts.doNow.lookAfterSubmitter,
          runbook: 'SubmitterSlotsExhausted',
        }
      : { holds: texts.doNow.answer, step: texts.doNow.attemptEnds }
  if (!isLong) return { holds: texts.doNow.nextRead, step: texts.doNow.firstReads }
  return {
    holds: texts.doNow.provider,
    step: texts.doNow.seeProvider,
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
    `Asked as of ${now.toISOString()}: did you execute it? ${texts.doNow.neverAgain}`,
  ]
  return lines.join('\n')
}
