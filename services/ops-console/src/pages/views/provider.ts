/**
 * The provider at a glance: a sentence that says if it answers, a table by kind, and plots by day, with the same numbers as a
 * table.
 */

import type { SubmissionHealth } from '@financial-agents/bus/messages/operator'
import { kindFacts } from '@financial-agents/contract/kinds'
import { type Html, html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'
import { notice } from '@financial-agents/pages/parts'
import { plot } from '@financial-agents/pages/plot'
import { duration } from '@financial-agents/pages/times'
import texts from '../../../messages/en.json' with { type: 'json' }
import type { ProviderHealth } from '../../operations/provider-health.ts'
import type { ReadHealthView } from '../../store/read-health.ts'
import { operationsPath, paths, withQuery } from '../links.ts'
import type { OutsideLinks } from '../outside-links.ts'
import { freshLine } from './fresh.ts'
import { readSections } from './read-health.ts'
import { share } from './share.ts'
import { ways } from './ways.ts'

export type ProviderFacts = {
  health: ProviderHealth
  reads: ReadHealthView
  days: 7 | 30
  links: OutsideLinks
  now: Date
}

export function providerView({ health, reads, days, links, now }: ProviderFacts): Page {
  const runbook = (name: string) => {
    const page = links.runbook(name)
    return page === null ? html`<code>${name}</code>` : html`<a href="${page}">${name}</a>`
  }
  return {
    title: 'Provider',
    lead: texts.provider.lead,
    wide: 'full',
    navigation: ways('provider'),
    main: html`${freshLine(now)}
<section id="result" aria-label="Result">${result(sumOf(health.lastHour))}</section>
<section id="hour"><h2>Last hour, by kind</h2>${kindTable(health.lastHour)}</section>
${readSections(reads, now)}
<section id="days"><h2>Last ${days} days</h2>
<p class="pages"><a href="${withQuery(paths.provider, { days: '7' })}"${days === 7 ? html` aria-current="true"` : ''}>7 days</a> <a href="${withQuery(paths.provider, { days: '30' })}"${days === 30 ? html` aria-current="true"` : ''}>30 days</a></p>
${dayPlots(health.days)}</section>
<section id="more"><h2>Where to look next</h2><ul><li><a href="${operationsPath({ state: 'indeterminate' })}">Operations without a known outcome</a></li>
<li>Runbooks: ${runbook('ProviderErrorRate')}, ${runbook('ProviderCircuitOpen')}, ${runbook('SubmissionsUncertain')}</li>
<li>The reads of the reconciler, and all calls by outcome, are metrics (<code>financial_agents.provider.*</code>), on the dashboard.</li></ul></section>`,
  }
}

type Sum = { sent: number; refused: number; unknown: number }

function sumOf(kinds: readonly SubmissionHealth[]): Sum {
  const total = (of: (kind: SubmissionHealth) => number) => kinds.reduce((sum, kind) => sum + of(kind), 0)
  return {
    sent: total(({ answered, refused, unknown }) => answered + refused + unknown),
    refused: total(({ refused }) => refused),
    unknown: total(({ unknown }) => unknown),
  }
}

/** Fewer submissions than this say nothing about the provider. */
const enough = 5

function result({ sent, refused, unknown }: Sum): Html {
  const numbers = `In the last hour ${sent} sent, ${unknown} without an answer (${share(unknown, sent)}), ${refused} refused (${share(refused, sent)}).`
  if (sent < enough) return notice('neutral', html`<strong>${texts.provider.tooLittle}</strong> ${numbers}`)
  if (unknown / sent >= 0.2) return notice('bad', html`<strong>${texts.provider.bad}</strong> ${numbers}`)
  if (unknown > 0 || refused / sent >= 0.5)
    return notice('warning', html`<strong>${texts.provider.unusual}</strong> ${numbers}`)
  return notice('good', html`<strong>${texts.provider.good}</strong> ${numbers}`)
}

function kindTable(kinds: readonly SubmissionHealth[]): Html {
  if (kinds.length === 0) return html`<p class="none">${texts.provider.nothingSent}</p>`
  const rows = kinds.map(({ kind, answered, refused, unknown, median_ms, slow_ms }) => {
    const sent = answered + refused + unknown
    return html`<tr data-key="${kind}"><th scope="row"><a href="${operationsPath({ kind, max_age_seconds: '3600' })}">${kindFacts[kind].operatorWord}</a></th><td class="number-cell" data-label="Sent">${sent}</td>
<td class="number-cell" data-label="No answer">${unknown} (${share(unknown, sent)})</td><td class="number-cell" data-label="Refused">${refused} (${share(refused, sent)})</td>
<td class="number-cell" data-label="Median">${timeOf(median_ms)}</td><td class="number-cell" data-label="95 %">${timeOf(slow_ms)}</td></tr>`
  })
  return html`<table class="list dense"><caption class="hidden">Submissions of the last hour by kind</caption><thead><tr><th scope="col">Kind</th><th scope="col" class="number-cell">Sent</th><th scope="col" class="number-cell">No answer</th><th scope="col" class="number-cell">Refused</th><th scope="col" class="number-cell">Median</th><th scope="col" class="number-cell">95 %</th></tr></thead><tbody>${rows}</tbody></table>`
}

const timeOf = (ms: number | null) => (ms === null ? 'Unknown' : duration(ms))

function dayPlots(days: ProviderHealth['days']): Html {
  const sums = days.map(({ day, kinds }) => ({
    day,
    ...sumOf(kinds),
    slow: Math.max(0, ...kinds.map(({ slow_ms }) => slow_ms ?? 0)),
  }))
  const axis = [sums[0]?.day ?? '', `${sums.at(-1)?.day ?? ''} UTC`] as const
  const series = [
    ['sent', 'Sent'],
    ['unknown', 'Without an answer'],
    ['refused', 'Refused'],
  ] as const
  const plots = series.map(([name, title]) => {
    const values = sums.map((sum) => sum[name])
    const total = values.reduce((all, value) => all + value, 0)
    const most = Math.max(0, ...values)
    const description = `${title}, by day: ${total} in all, most (${most}) on ${sums[values.indexOf(most)]?.day ?? 'no day'}.`
    return plot({ title, values, axis, description })
  })
  const rows = sums
    .toReversed()
    .map(
      ({ day, sent, unknown, refused, slow }) =>
        html`<tr data-key="${day}"><th scope="row">${day}</th><td class="number-cell" data-label="Sent">${sent}</td><td class="number-cell" data-label="No answer">${unknown} (${share(unknown, sent)})</td><td class="number-cell" data-label="Refused">${refused}</td><td class="number-cell" data-label="Slowest kind, 95 %">${sent === 0 ? '' : duration(slow)}</td></tr>`,
    )
  return html`<div class="plots">${plots}</div>
<details id="day-table"><summary>The same as a table</summary><table class="list dense"><thead><tr><th scope="col">Day</th><th scope="col" class="number-cell">Sent</th><th scope="col" class="number-cell">No answer</th><th scope="col" class="number-cell">Refused</th><th scope="col" class="number-cell">Slowest kind, 95 %</th></tr></thead><tbody>${rows}</tbody></table></details>`
}
