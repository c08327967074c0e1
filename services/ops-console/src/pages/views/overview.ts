/**
 * The overview at a glance: unsettled operations by state and age, the oldest of them, the reviews, the provider's
 * errors, and the last 24 hours.
 */

import type { OperationsOverview } from '@financial-agents/bus/messages/operator'
import { type FailureCode, failureCodes } from '@financial-agents/contract/failure-codes'
import { isTerminal, operationStates } from '@financial-agents/contract/machine'
import type { OperatorOperation } from '@financial-agents/contract/schemas/operator'
import { type Html, html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'
import { status } from '@financial-agents/pages/parts'
import { duration } from '@financial-agents/pages/times'
import texts from '../../../messages/en.json' with { type: 'json' }
import { counted, failureCode, operationsPath } from '../links.ts'
import { stateWords } from '../words.ts'
import { dayPlots } from './day-plots.ts'
import { freshLine } from './fresh.ts'
import { operationTable } from './operation-table.ts'
import { stateTiles } from './state-tiles.ts'
import { ways } from './ways.ts'

/** Rows of a list before the others are folded. */
const brief = 4

export type OverviewPage = {
  overview: OperationsOverview
  /** Names of clients by their ids. */
  names: ReadonlyMap<string, string>
  /** The newest operations under review. */
  reviews: { items: readonly OperatorOperation[]; more: boolean }
  publicUrl: string
  now: Date
}

export function overviewView({ overview, names, reviews, publicUrl, now }: OverviewPage): Page {
  const { counts, ages, hours, failures } = overview
  const table = { publicUrl, now }
  return {
    title: 'Overview',
    wide: 'full',
    navigation: ways('overview'),
    main: html`${freshLine(now)}
<section id="by-state"><h2>Operations by state</h2>${stateTiles({ counts, now })}</section>
<section id="by-age"><h2>In flight by age</h2>${ageTable(ages)}</section>
<section id="review"><h2>Review queue</h2>
<p class="soft small">${texts.overview.underReview}</p>
${operationTable({ ...table, operations: reviews.items, none: texts.overview.noReview, caption: 'Under review', brief })}
${reviews.more ? html`<p><a href="${operationsPath({ review: 'true' })}">All under review</a></p>` : ''}</section>
<section id="oldest"><h2>Oldest without an outcome</h2>
${operationTable({ ...table, operations: oldest(overview, names, now), none: texts.overview.noOldest, caption: 'Oldest without an outcome', brief })}</section>
<section id="day"><h2>Last 24 hours</h2>${dayPlots(hours)}</section>
<div class="pair"><section id="provider-errors"><h2>Provider errors, last 24 hours</h2>${failureTable(failures, isProviders, publicUrl)}</section>
<section id="other-failures"><h2>Other failures, last 24 hours</h2>${failureTable(failures, (code) => !isProviders(code), publicUrl)}</section></div>`,
  }
}

function oldest({ oldest: rows }: OperationsOverview, names: OverviewPage['names'], now: Date) {
  return rows.map(({ operation_id, client_id, ...row }) => ({
    ...row,
    id: operation_id,
    client: { id: client_id, name: names.get(client_id) ?? client_id },
    // The list above and the operation's own page tell if it is under review.
    review: false,
    review_reason: null,
    age_seconds: Math.max(0, Math.floor((now.getTime() - Date.parse(row.created_at)) / 1_000)),
  }))
}

function ageTable(ages: OperationsOverview['ages']): Html {
  const bounds = [...new Set(ages.map(({ under_seconds }) => under_seconds))].toSorted(
    (a, b) => boundOf(a) - boundOf(b),
  )
  const states = operationStates.filter((state) => !isTerminal(state))
  const heads = bounds.map(
    (bound, index) => html`<th scope="col" class="number-cell">${ageWords(bounds[index - 1], bound)}</th>`,
  )
  const rows = states.map((state) => {
    const counts = bounds.map(
      (bound) => ages.find((one) => one.state === state && one.under_seconds === bound)?.operations ?? 0,
    )
    const total = counts.reduce((sum, count) => sum + count, 0)
    const cells = bounds.map((bound, index) => {
      const count = counts[index] ?? 0
      const from = bounds[index - 1]
      const shown = counted(count, {
        state,
        min_age_seconds: from ? String(from) : undefined,
        max_age_seconds: bound ? String(bound) : undefined,
      })
      return html`<td class="number-cell${count === 0 ? ' zero' : ''}" data-label="${ageWords(from, bound)}">${shown}</td>`
    })
    const { tone, word } = stateWords[state]
    return html`<tr data-key="${state}"><th scope="row">${status(total === 0 ? 'neutral' : tone, word)}</th>${cells}<td class="number-cell" data-label="In all">${counted(total, { state })}</td></tr>`
  })
  return html`<table class="list fine"><caption class="hidden">Operations in flight by state and age</caption><thead><tr><th scope="col">State</th>${heads}<th scope="col" class="number-cell">In all</th></tr></thead><tbody>${rows}</tbody></table>`
}

const boundOf = (bound: number | null) => bound ?? Number.POSITIVE_INFINITY

function ageWords(from: number | null | undefined, until: number | null): string {
  if (until === null) return `${duration((from ?? 0) * 1_000)} and more`
  return from ? `${duration(from * 1_000)} to ${duration(until * 1_000)}` : `Under ${duration(until * 1_000)}`
}

/**
 * Returns true for failures by the provider's answer or silence, and false for failures on our side or by the owner's
 * decision.
 */
function isProviders(code: FailureCode): boolean {
  return code.startsWith('provider_') || code === 'attempt_interrupted'
}

function failureTable(
  failures: OperationsOverview['failures'],
  belongs: (code: FailureCode) => boolean,
  publicUrl: string,
): Html {
  const shown = failures.filter(({ failure_code }) => belongs(failure_code))
  if (shown.length === 0) return html`<p class="none">${texts.overview.none}</p>`
  const rows = shown.map(
    ({ failure_code, operations }) =>
      html`<tr data-key="${failure_code}"><th scope="row">${failureCode(failure_code, publicUrl)}<p>${failureCodes[failure_code]}</p></th><td class="number-cell" data-label="Operations">${counted(operations, { failure_code, max_age_seconds: '86400' })}</td></tr>`,
  )
  return html`<table class="list short"><thead><tr><th scope="col">Code</th><th scope="col" class="number-cell">Operations</th></tr></thead><tbody>${rows}</tbody></table>`
}
