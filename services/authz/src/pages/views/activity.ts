/**
 * The list of an owner's payments and other acts, and the page of one of them: its facts, its course in plain words. The
 * page of a payment is a receipt that can be printed.
 */

import type { OwnerMove, OwnerOperation } from '@financial-agents/bus/messages/owner-activity'
import { amountWords } from '@financial-agents/contract/amount-words'
import { kindWords } from '@financial-agents/operation-machine/kind-words'
import { filterForm, selectField } from '@financial-agents/pages/fields'
import { foreignName, foreignValue, visible } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { facts, mark, moment, notice, status } from '@financial-agents/pages/parts'
import { stateWords, whyWords } from '../operation-words.ts'
import { type Payees, payeeOf } from '../owner-activity.ts'
import { headerEnd } from './header.ts'
import type { View } from './view.ts'

/** The filters of the list. An undefined one does not filter. */
export type ActivityFilters = {
  /** The id of an application. */
  application: string | undefined
  only: 'payments' | undefined
  /** For example `2026-11`, in UTC. */
  month: string | undefined
  /** The id of a mandate. */
  mandate: string | undefined
}

export type ActivityPage = {
  /** Undefined if they cannot be read now. */
  operations: readonly OwnerOperation[] | undefined
  payees: Payees
  /** The names of applications by their ids. */
  names: ReadonlyMap<string, string>
  /** The applications to choose from: id and name. */
  applications: readonly (readonly [id: string, name: string])[]
  months: readonly string[]
  filters: ActivityFilters
  /** The position after which older ones follow; undefined if there are none. */
  older: string | undefined
  timezone: string | undefined
  hidden: Readonly<Record<string, string>>
}

const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

export function activityView(data: ActivityPage): View {
  const { operations, filters, older, hidden } = data
  const chosen = Object.entries(filters).filter(([, value]) => value !== undefined) as [string, string][]
  return {
    rights: { forms: true },
    page: {
      title: 'Activity',
      lead: 'Payments and other changes at your provider, newest first.',
      wide: true,
      headerEnd: headerEnd(hidden),
      main: html`${filterFields(data, chosen.length > 0)}
${filters.mandate === undefined ? '' : html`<p class="soft">Only payments of one repeated payment. <a href="${pagePaths.accountActivity}">Show all</a></p>`}
${operations ? operationTable(operations, data) : notice('warning', 'Activity cannot be shown now. Reload this page in a minute.')}
${older === undefined ? '' : html`<p class="pages"><a href="${pagePaths.accountActivity}?${new URLSearchParams([...chosen, ['after', older]]).toString()}">Older</a></p>`}
<p class="soft small">Months begin at midnight UTC, as the limits do.</p>`,
    },
  }
}

function filterFields({ applications, months, filters }: ActivityPage, clear: boolean): Html {
  const choice = (name: string, label: string, none: string, options: (readonly [string, string])[], value?: string) =>
    selectField({ name, label, none, options, value })
  const named = applications.map(([id, name]) => [id, visible(name).slice(0, 60)] as const)
  const monthNames = months.map((one) => [one, month.format(new Date(`${one}-01T00:00:00Z`))] as const)
  return filterForm({
    action: pagePaths.accountActivity,
    clear,
    fields: [
      choice('application', 'Application', 'All applications', named, filters.application),
      choice('only', 'What', 'Everything', [['payments', 'Payments']], filters.only),
      choice('month', 'Month', 'Any month', monthNames, filters.month),
    ],
  })
}

/** The rows of operations, each with the link to its page. */
export function operationTable(
  operations: readonly OwnerOperation[],
  { payees, names, timezone }: Pick<ActivityPage, 'payees' | 'names' | 'timezone'>,
): Html {
  if (operations.length === 0) return html`<p class="soft">Nothing is here.</p>`
  const rows = operations.map((operation) => {
    const { operation_id, kind, state, client_id, created_at, payment } = operation
    const payee = payeeOf(operation, payees)
    const { tone, word } = stateWords[state]
    return html`<tr><th scope="row"><a href="${pathTo(pagePaths.accountOperation, { operationId: operation_id })}">${kindWords[kind].owner}</a></th><td>${
      payment ? html`<span class="amount">${amountWords(payment.amount, payment.currency)}</span>` : ''
    }</td><td>${payee === undefined ? '' : foreignName(payee)}</td><td>${foreignName(names.get(client_id) ?? client_id)}</td><td>${moment(new Date(created_at), timezone)}</td><td>${status(tone, word)}</td></tr>`
  })
  return html`<table><thead><tr><th scope="col">What</th><th scope="col">Amount</th><th scope="col">To</th><th scope="col">Asked for by</th><th scope="col">When</th><th scope="col">How far it is</th></tr></thead><tbody>${rows}</tbody></table>`
}

export type OperationPage = {
  operation: OwnerOperation
  moves: readonly OwnerMove[]
  payee: string | undefined
  clientName: string | undefined
  ownerName: string | null
  timezone: string | undefined
  hidden: Readonly<Record<string, string>>
}

export function operationView(data: OperationPage): View {
  const { operation, payee, clientName, ownerName, timezone, hidden } = data
  const { kind, state, payment, upstream_reference, operation_id, client_id, created_at } = operation
  const { tone, word, more } = stateWords[state]
  const why = whyWords(operation)
  const rows: [string, Html | string][] = [
    ...(payment
      ? [
          ['Amount', html`<strong class="amount">${amountWords(payment.amount, payment.currency)}</strong>`] as [
            string,
            Html,
          ],
        ]
      : []),
    ...(payee === undefined ? [] : [['To', foreignValue(payee)] as [string, Html]]),
    [
      'How far it is',
      html`${status(tone, word)}${more ? html`<p class="soft small">${more}</p>` : ''}${why === undefined ? '' : html`<p>${why}</p>`}`,
    ],
    ['Asked for by', foreignValue(clientName ?? client_id)],
    ['Whose money', html`<strong>${ownerName ?? 'Yours'}</strong>`],
    ['When', moment(new Date(created_at), timezone)],
    ['Our reference', html`<code class="id">${operation_id}</code>`],
    ...(upstream_reference === null
      ? []
      : [['Your provider’s reference', html`<code class="id">${upstream_reference}</code>`] as [string, Html]]),
  ]
  return {
    rights: { forms: true },
    page: {
      title: kindWords[kind].owner,
      headerEnd: headerEnd(hidden),
      main: html`<div class="card">${facts(rows)}</div>
${payment?.mandate_id ? html`<p class="no-print"><a href="${pagePaths.accountActivity}?mandate=${payment.mandate_id}">All payments of this repeated payment</a></p>` : ''}
<h2>What happened</h2>
${course(data)}
<p class="soft no-print">${payment ? 'This page is a receipt that you can print or save.' : 'You can print or save this page.'}</p>
<p class="no-print"><a href="${pagePaths.accountActivity}">All activity</a></p>`,
    },
  }
}

function course({ moves, timezone }: OperationPage): Html {
  return html`<ol class="timeline">${moves.map(({ to, at }) => {
    const { tone, word } = stateWords[to]
    return html`<li>${mark(tone)}<strong>${word}</strong><p class="soft small">${moment(new Date(at), timezone)}</p></li>`
  })}</ol>`
}
