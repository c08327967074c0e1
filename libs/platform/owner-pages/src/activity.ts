/**
 * The list of an owner's payments and other acts, and the page of one of them: its facts, its course in plain words. The
 * page of a payment that was made is a receipt that can be printed.
 */

import type { OwnerMove, OwnerOperation } from '@financial-agents/bus/messages/owner-activity'
import { amountWords } from '@financial-agents/contract/amount-words'
import { filterForm, selectField } from '@financial-agents/pages/fields'
import { foreignName, foreignValue, visible } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { facts, mark, notice, status } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import { headerEnd } from './header.ts'
import { operationWordsOf, stateWordsOf, whyWords } from './operation-words.ts'
import { type Payees, payeeOf } from './payees.ts'
import type { View } from './view.ts'

/** An undefined filter does not filter. */
export type ActivityFilters = {
  /** The id of an application. */
  application: string | undefined
  only: 'payments' | undefined
  /** The month in UTC, for example `2026-11`. */
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
  /** The position of the last operation shown; undefined if no older operation follows it. */
  older: string | undefined
  reader: Reader
  hidden: Readonly<Record<string, string>>
}

export function activityView(data: ActivityPage): View {
  const { operations, filters, older, hidden, reader } = data
  const say = reader.say('activity')
  const chosen = Object.entries(filters).filter(([, value]) => value !== undefined) as [string, string][]
  return {
    rights: { forms: true },
    page: {
      reader,
      title: say('title'),
      lead: say('lead'),
      wide: true,
      headerEnd: headerEnd(hidden, reader),
      main: html`${filterFields(data, chosen.length > 0)}
${filters.mandate === undefined ? '' : html`<p class="soft">${say.rich('onlyOne', {}, { a: (text) => html`<a href="${pagePaths.accountActivity}">${text}</a>` })}</p>`}
${operations ? operationTable(operations, data) : notice('warning', say('unknown'))}
${older === undefined ? '' : html`<p class="pages"><a href="${pagePaths.accountActivity}?${new URLSearchParams([...chosen, ['after', older]]).toString()}">${say('older')}</a></p>`}
<p class="soft small">${say('months')}</p>`,
    },
  }
}

function filterFields({ applications, months, filters, reader }: ActivityPage, clear: boolean): Html {
  const say = reader.say('activity')
  const choice = (name: string, label: string, none: string, options: (readonly [string, string])[], value?: string) =>
    selectField({ name, label, none, options, value })
  const named = applications.map(([id, name]) => [id, visible(name).slice(0, 60)] as const)
  const monthNames = months.map((one) => [one, reader.month(new Date(`${one}-01T00:00:00Z`))] as const)
  return filterForm({
    action: pagePaths.accountActivity,
    clear,
    reader,
    fields: [
      choice('application', say('application'), say('allApplications'), named, filters.application),
      choice('only', say('what'), say('everything'), [['payments', say('payments')]], filters.only),
      choice('month', say('month'), say('anyMonth'), monthNames, filters.month),
    ],
  })
}

/** The rows of operations, each with the link to its page. */
export function operationTable(
  operations: readonly OwnerOperation[],
  { payees, names, reader }: Pick<ActivityPage, 'payees' | 'names' | 'reader'>,
): Html {
  const say = reader.say('activity')
  if (operations.length === 0) return html`<p class="soft">${say('nothing')}</p>`
  const rows = operations.map((operation) => {
    const { operation_id, kind, state, client_id, created_at, payment } = operation
    const payee = payeeOf(operation, payees)
    const { tone, word } = stateWordsOf(state, reader)
    return html`<tr><th scope="row"><a href="${pathTo(pagePaths.accountOperation, { operationId: operation_id })}">${reader.say('kinds')(kind)}</a></th><td>${
      payment ? html`<span class="amount">${amountWords(payment.amount, payment.currency, reader.locale)}</span>` : ''
    }</td><td>${payee === undefined ? '' : foreignName(payee)}</td><td>${foreignName(names.get(client_id) ?? client_id)}</td><td>${reader.timestamp(new Date(created_at))}</td><td>${status(tone, word)}</td></tr>`
  })
  return html`<table><thead><tr><th scope="col">${say('what')}</th><th scope="col">${say('amount')}</th><th scope="col">${say('to')}</th><th scope="col">${say('askedBy')}</th><th scope="col">${say('when')}</th><th scope="col">${say('howFar')}</th></tr></thead><tbody>${rows}</tbody></table>`
}

export type OperationPage = {
  operation: OwnerOperation
  moves: readonly OwnerMove[]
  payee: string | undefined
  /** The text that the payee receives with the payment; null if there is none. */
  memo: string | null
  clientName: string | undefined
  ownerName: string | null
  reader: Reader
  hidden: Readonly<Record<string, string>>
}

export function operationView(data: OperationPage): View {
  const { operation, payee, clientName, ownerName, reader, hidden } = data
  const say = reader.say('activity')
  const { kind, state, payment, upstream_reference, operation_id, client_id, created_at } = operation
  const { tone, word, more } = operationWordsOf(operation, reader)
  const why = whyWords(operation, reader)
  const rows: [string, Html | string][] = [
    ...(payment
      ? [
          [
            say('amount'),
            html`<strong class="amount">${amountWords(payment.amount, payment.currency, reader.locale)}</strong>`,
          ] as [string, Html],
        ]
      : []),
    ...(payee === undefined ? [] : [[say('to'), foreignValue(payee, reader)] as [string, Html]]),
    [
      say('howFar'),
      html`${status(tone, word)}${more ? html`<p class="soft small">${more}</p>` : ''}${why === undefined ? '' : html`<p>${why}</p>`}`,
    ],
    [say('askedBy'), foreignValue(clientName ?? client_id, reader)],
    ...(data.memo === null ? [] : [[say('memo'), foreignValue(data.memo, reader)] as [string, Html]]),
    [say('whoseMoney'), html`<strong><bdi>${ownerName ?? say('yours')}</bdi></strong>`],
    [say('when'), reader.timestamp(new Date(created_at))],
    [say('ourReference'), html`<code class="id">${operation_id}</code>`],
    ...(upstream_reference === null
      ? []
      : [[say('providerReference'), html`<code class="id">${upstream_reference}</code>`] as [string, Html]]),
  ]
  return {
    rights: { forms: true },
    page: {
      reader,
      title: reader.say('kinds')(kind),
      headerEnd: headerEnd(hidden, reader),
      main: html`<div class="card">${facts(rows)}</div>
${payment?.mandate_id ? html`<p class="no-print"><a href="${pagePaths.accountActivity}?mandate=${payment.mandate_id}">${say('allOfMandate')}</a></p>` : ''}
<h2>${say('course')}</h2>
${course(data)}
<p class="soft no-print">${say(payment && state === 'succeeded' ? 'receipt' : 'printable')}</p>
<p class="no-print"><a href="${pagePaths.accountActivity}">${say('all')}</a></p>`,
    },
  }
}

function course({ moves, reader }: OperationPage): Html {
  return html`<ol class="timeline">${moves.map(({ to, at }) => {
    const { tone, word } = stateWordsOf(to, reader)
    return html`<li>${mark(tone)}<strong>${word}</strong><p class="soft small">${reader.timestamp(new Date(at))}</p></li>`
  })}</ol>`
}
