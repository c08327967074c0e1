/** The view of one operation: every move with its mover, time, waiting time and evidence; and the next step. */

import { kindFacts } from '@financial-agents/contract/kinds'
import { isTerminal } from '@financial-agents/contract/machine'
import type { OperatorOperationDetail } from '@financial-agents/contract/schemas/operator'
import { type Html, type HtmlValue, html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'
import { facts, notice, status } from '@financial-agents/pages/parts'
import { distance, duration, exactly, instant } from '@financial-agents/pages/times'
import texts from '../../../messages/en.json' with { type: 'json' }
import { failureCode, grantPath, grantsPath, operationsPath, paths } from '../links.ts'
import type { OutsideLinks } from '../outside-links.ts'
import { stateWords } from '../words.ts'
import { deliveryTable } from './deliveries.ts'
import { doNow } from './do-now.ts'
import { freshLine } from './fresh.ts'
import { readTable } from './reads.ts'
import { timeline } from './timeline.ts'
import { ways } from './ways.ts'

export type OperationPage = {
  operation: OperatorOperationDetail
  links: OutsideLinks
  publicUrl: string
  now: Date
}

export function operationView({ operation, links, publicUrl, now }: OperationPage): Page {
  const { kind, state, client, history, webhook_deliveries } = operation
  const { tone, word } = stateWords[state]
  return {
    title: kindFacts[kind].operatorWord,
    lead: html`${status(tone, word)} · asked for by <a href="${operationsPath({ client_id: client.id })}">${client.name}</a> ${distance(new Date(operation.created_at), now)}`,
    wide: true,
    navigation: ways('operations'),
    main: html`${freshLine(now)}
<section id="facts" aria-label="What it is">${review(operation)}<div class="card">${facts(rows(operation, { links, publicUrl, now }))}</div></section>
<section id="do"><h2>What you do now</h2>${doNow(operation, links, now)}</section>
<section id="story"><h2>What happened</h2>${timeline({ history, publicUrl })}${archived(operation)}</section>
<section id="next"><h2>What happens next</h2>${next(operation, now)}</section>
<section id="reads"><h2>What the provider said</h2>${readTable(operation.reads)}</section>
<section id="reported"><h2>What its client was told</h2>${deliveryTable(webhook_deliveries, now)}</section>
<p class="pages"><a href="${paths.operations}">All operations</a></p>`,
  }
}

function review({ review: isReviewed, review_reason }: OperatorOperationDetail): Html | string {
  if (!isReviewed) return ''
  return html`<div class="stack">${notice('warning', html`<strong>Under review:</strong> ${review_reason}. ${texts.operation.underReview}`)}</div>`
}

/** The archive keeps an operation with its outcome, and removes the moves to it. */
function archived({ id, state, history }: OperatorOperationDetail): Html | string {
  if (history.some(({ to }) => to === state)) return ''
  return notice('neutral', html`${texts.operation.archived} To read them: <code>operations archive show ${id}</code>.`)
}

type Around = Pick<OperationPage, 'links' | 'publicUrl' | 'now'>

function rows(operation: OperatorOperationDetail, { links, publicUrl, now }: Around): [string, HtmlValue][] {
  const { id, kind, client, subject, resource_id, resource_type, upstream_reference } = operation
  const { payment, grant_id, mandate_id, trace_id } = operation
  const logs = links.logs({ id })
  const trace = trace_id === null ? null : links.trace({ id: trace_id })
  const known: [string, HtmlValue][] = [
    ['Operation', html`<span class="id">${id}</span>`],
    ['Kind', html`<a href="${operationsPath({ kind })}"><code>${kind}</code></a>`],
    ...(payment
      ? ([
          ['Amount', html`<strong class="amount">${payment.amount} ${payment.currency}</strong>`],
          ['Payee', mandate_id === null ? 'A saved beneficiary of the owner' : 'The payee of a mandate'],
        ] satisfies [string, HtmlValue][])
      : []),
    ['Client', html`${client.name} <span class="id">${client.id}</span>`],
    ['Owner', html`<a class="id" href="${grantsPath({ client_id: client.id, subject })}">${subject}</a>`],
    [
      'Person',
      html`<a href="${operationsPath({ same_owner_as: grant_id })}">This person’s operations, by all clients</a>`,
    ],
    ['Grant', html`<a class="id" href="${grantPath(grant_id)}">${grant_id}</a>`],
    ...(mandate_id === null
      ? []
      : ([['Mandate', html`<a class="id" href="${operationsPath({ mandate_id })}">${mandate_id}</a>`]] satisfies [
          string,
          HtmlValue,
        ][])),
    ['Concerns', html`${resource_type} <a class="id" href="${operationsPath({ resource_id })}">${resource_id}</a>`],
    [
      'Provider’s reference',
      upstream_reference === null ? 'None known' : html`<span class="id">${upstream_reference}</span>`,
    ],
    ['Accepted', instant(new Date(operation.created_at), now)],
    ['Moved last', instant(new Date(operation.updated_at), now)],
  ]
  if (trace_id !== null)
    known.push([
      'Trace',
      trace === null ? html`<span class="id">${trace_id}</span>` : html`<a class="id" href="${trace}">${trace_id}</a>`,
    ])
  if (logs !== null) known.push(['Logs', html`<a href="${logs}">Everything that names this operation</a>`])
  if (operation.failure_code)
    known.push([
      isTerminal(operation.state) ? 'Failed because' : 'Unknown because',
      html`${failureCode(operation.failure_code, publicUrl)}${operation.failure_detail ? html`<br>${operation.failure_detail}` : ''}`,
    ])
  return known
}

function next({ state, next_reconcile_at, updated_at }: OperatorOperationDetail, now: Date): Html {
  const words = html`<p>${stateWords[state].next}</p>`
  if (isTerminal(state)) return words
  const since = duration(Math.max(0, now.getTime() - Date.parse(updated_at)))
  const read =
    next_reconcile_at === null
      ? ''
      : html` The provider is asked next at ${exactly(new Date(next_reconcile_at))} (${distance(new Date(next_reconcile_at), now)}).`
  return html`${words}<p>It has been like this for ${since}.${read}</p>`
}
