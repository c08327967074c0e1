/**
 * Writes that are closed: a banner on every page, and a page with the reason of each service, the lost time, the operations that
 * events name, and the next step. Nothing that was lost is guessed.
 */

import type { ClosedReason, LostOperation, LostOperations, WitnessReport } from '@financial-agents/bus/messages/witness'
import { kindFacts } from '@financial-agents/contract/kinds'
import { type Html, html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'
import { facts, notice, status } from '@financial-agents/pages/parts'
import { exactly, instant } from '@financial-agents/pages/times'
import texts from '../../../messages/en.json' with { type: 'json' }
import type { Writes } from '../../operations/writes.ts'
import { paths } from '../links.ts'
import type { OutsideLinks } from '../outside-links.ts'
import { stateWords } from '../words.ts'
import { freshLine } from './fresh.ts'
import { ways } from './ways.ts'

const words = texts.writes
const reasonWords: { readonly [R in ClosedReason]: string } = words.reasons

/** What an operator has to know first. */
const gravity: readonly ClosedReason[] = [
  'loss',
  'superseded',
  'other_witness',
  'no_witness',
  'unreachable',
  'starting',
  'elsewhere',
]
const ofLoss: ReadonlySet<ClosedReason> = new Set(['loss', 'elsewhere'])

type Closed = NonNullable<WitnessReport>

const closedOf = (report: Writes['operations']): Closed | undefined =>
  report === null || report === 'unknown' ? undefined : report

/** The closed services in one, with the gravest reason; undefined if none is known to be closed. */
function worst({ operations, submitter }: Writes): Closed | undefined {
  const closed = [operations, submitter].flatMap((report) => closedOf(report) ?? [])
  const [first] = closed.toSorted((a, b) => gravity.indexOf(a.reason) - gravity.indexOf(b.reason))
  return first && { ...first, since: closed.map(({ since }) => since).toSorted()[0] as string }
}

export type WritesPage = { writes: Writes; links: OutsideLinks; now: Date }

/** The banner; undefined while writes are open. */
export function writesBanner({ writes, links, now }: WritesPage): Html | undefined {
  const closed = worst(writes)
  if (!closed) {
    if (writes.operations === null && writes.submitter === null) return undefined
    return banner(notice('warning', html`<strong>${words.unknown}</strong> ${words.unknownMore} ${details}`))
  }
  return banner(
    notice(
      'bad',
      html`<p><strong>${words.closed}</strong> Since ${instant(new Date(closed.since), now)}. ${effectOf(writes)}</p>
<p>${reasonWords[closed.reason]} ${lostTime(closed)}${namedCount(writes.lost)}</p>
<p>${details} Runbook: ${runbook(links)}.${ofLoss.has(closed.reason) ? html` Command: <code>recover</code>.` : ''}</p>`,
    ),
  )
}

/** Not a direct child of the main part, where the script keeps messages about the last action. */
const banner = (message: Html) =>
  html`<section id="writes-closed" class="standing" aria-label="State of writes">${message}</section>`

const details = html`<a href="${paths.writes}">What is known</a>.`

function effectOf({ operations, submitter }: Writes): string {
  if (operations === 'unknown' || submitter === 'unknown') return words.unknownMore
  if (operations === null) return words.notSent
  return submitter === null ? words.notAccepted : words.nothing
}

function lostTime({ from, to, transactions }: Closed): Html | string {
  if (to === null) return ''
  const start = from === null ? 'the beginning' : exactly(new Date(from))
  return html`Lost: from ${start} to ${exactly(new Date(to))}, ${counted(transactions ?? 0, 'transaction')}.`
}

function namedCount(lost: Writes['lost']): string {
  return lost === null || lost === 'unknown' ? '' : ` Events name ${counted(lost.count, 'lost operation')}.`
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function runbook(links: OutsideLinks): Html {
  const page = links.runbook('WritesClosed')
  return page === null ? html`<code>WritesClosed</code>` : html`<a href="${page}">WritesClosed</a>`
}

export function writesView({ writes, links, now }: WritesPage): Page {
  const closed = worst(writes)
  const isLoss = closed !== undefined && ofLoss.has(closed.reason)
  const services = [
    ['Accepting (operations)', writes.operations],
    ['Sending (submitter)', writes.submitter],
  ] as const
  return {
    title: 'Writes',
    wide: 'full',
    navigation: ways(),
    main: html`${freshLine(now)}
${!closed && services.every(([, report]) => report === null) ? notice('good', html`<strong>${words.open}</strong> ${words.openMore}`) : ''}
<section id="services"><h2>By service</h2>${facts(services.map(([name, report]) => [name, stateOf(report, now)]))}</section>
${closed ? html`<section id="lost-time"><h2>Lost time</h2>${lostTimeOf(closed)}</section>` : ''}
${isLoss ? html`<section id="lost-operations"><h2>Lost operations that events name</h2>${namedOperations(writes.lost)}</section>` : ''}
${closed ? html`<section id="next"><h2>What to do</h2>${nextStep(isLoss, links)}</section>` : ''}`,
  }
}

function stateOf(report: Writes['operations'], now: Date): Html {
  if (report === null) return status('good', 'Open')
  if (report === 'unknown') return html`${status('warning', 'Unknown')}<p>${words.unknownMore}</p>`
  const { reason, since } = report
  return html`${status('bad', 'Closed')}<p>Since ${instant(new Date(since), now)} (<code>${reason}</code>).</p><p>${reasonWords[reason]}</p>`
}

function lostTimeOf(closed: Closed): Html {
  if (closed.to === null) return html`<p class="none">${words.noTime}</p>`
  return html`<p>${lostTime(closed)}</p><p class="soft small">${words.transactions}</p>`
}

function namedOperations(lost: Writes['lost']): Html {
  if (lost === null || lost === 'unknown') return html`<p class="none">${words.notNamed}</p>`
  if (lost.count === 0) return html`<p class="none">${words.noneNamed}</p>`
  return html`<p class="soft small">${words.named}</p>
${namedTable(lost)}`
}

function namedTable({ count, operations }: LostOperations): Html {
  const more = count - operations.length
  return html`<table class="list"><caption class="hidden">Lost operations</caption>
<thead><tr><th scope="col">Operation</th><th scope="col">Client</th><th scope="col">Last state</th><th scope="col">At</th><th scope="col">Provider’s reference</th></tr></thead>
<tbody>${operations.map(namedRow)}</tbody></table>${more > 0 ? html`<p>${more} more.</p>` : ''}`
}

function namedRow({ operation_id, kind, client_id, state, at, upstream_reference }: LostOperation): Html {
  const { tone, word } = stateWords[state]
  return html`<tr data-key="${operation_id}"><th scope="row">${kindFacts[kind].operatorWord}<br><span class="id">${operation_id}</span></th>
<td data-label="Client"><span class="id">${client_id}</span></td><td>${status(tone, word)}</td><td data-label="At">${exactly(new Date(at))}</td><td data-label="Provider’s reference">${upstream_reference === null ? 'None' : html`<span class="id">${upstream_reference}</span>`}</td></tr>`
}

function nextStep(isLoss: boolean, links: OutsideLinks): Html {
  const command = isLoss ? html` Command: <code>recover</code>, of the image <code>operations</code>.` : ''
  return html`<p>${isLoss ? words.recover : words.byThemselves}</p><p>Runbook: ${runbook(links)}.${command}</p>`
}
