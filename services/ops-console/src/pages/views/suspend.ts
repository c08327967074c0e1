/**
 * The page before a suspension: what will stop, what continues, what replaces the grant, and the fields for the reasons.
 */

import { kindFacts } from '@financial-agents/contract/kinds'
import type { OperatorGrant, OperatorOperation } from '@financial-agents/contract/schemas/operator'
import { type Html, html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'
import { button, facts, form, notice, status } from '@financial-agents/pages/parts'
import { duration } from '@financial-agents/pages/times'
import texts from '../../../messages/en.json' with { type: 'json' }
import { grantPath, operationPath, suspendPath } from '../links.ts'
import type { RefusedReasons } from '../suspension-reasons.ts'
import { stateWords } from '../words.ts'
import { grantFacts } from './grant.ts'
import { backWords, reasonFields } from './suspension.ts'
import { ways } from './ways.ts'

export type SuspendPage = {
  grant: OperatorGrant
  /** The grant's operations without an outcome. `more`: there are others that are not listed. */
  inFlight: { operations: readonly OperatorOperation[]; more: boolean }
  hidden: Readonly<Record<string, string>>
  refused?: RefusedReasons | undefined
  now: Date
}

export function suspendView({ grant, inFlight, hidden, refused, now }: SuspendPage): Page {
  const { id, client } = grant
  const { unsent, unapproved, going } = apart(inFlight.operations)
  return {
    title: `Suspend the grant of ${client.name}?`,
    lead: `${texts.suspend.stopsAtOnce} ${backWords[client.profile]}`,
    wide: true,
    navigation: ways('grants'),
    refused: refused !== undefined,
    main: html`<div class="card">${facts(grantFacts(grant, now))}</div>
<h2>What stops</h2>
<ul><li>Every request of ${client.name} for this owner is refused, and it gets no new token.</li>
<li>What is not sent yet is cancelled instead of being sent:${operationList(unsent, 'nothing at the moment.')}</li>
<li>What still waits for the owner’s approval is never sent, and is cancelled soon:${operationList(unapproved, 'nothing at the moment.')}</li></ul>
<h2>What does not stop</h2>
<ul><li>${texts.suspend.sentGoesOn} So does what only takes authority away (freezing a card, ending a mandate):${operationList(going, 'nothing at the moment.')}</li>
<li>Other grants of this owner, and of ${client.name} for other owners.</li></ul>
${inFlight.more ? notice('neutral', texts.suspend.more) : ''}
${form({
  action: suspendPath(id),
  hidden,
  body: html`<h2>Why</h2>${reasonFields(refused, 500)}<div class="actions">${button('danger', 'Suspend this grant')}<a class="button secondary" href="${grantPath(id)}">Leave it as it is</a></div>`,
})}`,
  }
}

/**
 * The page after a suspension that was not confirmed in time: its known state, the operations that may still be sent,
 * and a form to repeat it.
 */
export function unconfirmedView({ grant, inFlight, hidden, now }: Omit<SuspendPage, 'refused'>): Page {
  const { client, status: grantStatus } = grant
  const { unsent } = apart(inFlight.operations)
  return {
    title: 'The suspension is not confirmed',
    lead:
      grantStatus === 'suspended'
        ? `Requests of ${client.name} for this owner are refused. ${texts.suspend.unconfirmed}`
        : texts.suspend.noAnswer,
    wide: true,
    navigation: ways('grants'),
    main: html`<div class="card">${facts(grantFacts(grant, now))}</div>
<h2>What may still be sent until it is confirmed</h2>
<ul><li>What is accepted and not sent yet:${operationList(unsent, 'nothing at the moment.')}</li></ul>
${inFlight.more ? notice('neutral', texts.suspend.more) : ''}
${form({
  action: suspendPath(grant.id),
  hidden,
  body: html`<p>${texts.suspend.askAgain}</p>
<div class="actions">${button('danger', 'Ask again')}<a class="button secondary" href="${grantPath(grant.id)}">To the grant</a></div>`,
})}`,
  }
}

function apart(operations: readonly OperatorOperation[]) {
  const stopped = operations.filter((operation) => isStopped(operation))
  return {
    unsent: stopped.filter(({ state }) => state === 'accepted'),
    unapproved: stopped.filter(({ state }) => state === 'requires_action'),
    going: operations.filter((operation) => !isStopped(operation)),
  }
}

/**
 * A fence stops an operation that is not yet claimed, unless its kind only removes authority (write protocol, rule 8).
 */
function isStopped({ kind, state }: OperatorOperation): boolean {
  const isUnsent = state === 'requires_action' || state === 'accepted'
  return isUnsent && !kindFacts[kind].passesFences.includes('grant')
}

function operationList(operations: readonly OperatorOperation[], none: string): Html {
  if (operations.length === 0) return html` ${none}`
  return html`<ul>${operations.map(
    ({ id, kind, state, age_seconds }) =>
      html`<li><a href="${operationPath(id)}">${kindFacts[kind].operatorWord}</a> ${status(stateWords[state].tone, stateWords[state].word)} for ${duration(age_seconds * 1_000)} <span class="id">${id}</span></li>`,
  )}</ul>`
}
