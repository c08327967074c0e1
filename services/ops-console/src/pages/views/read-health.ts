/** The reads of the provider: a sentence that says if its circuits are closed, and tables by kind of read and by day. */

import { type Html, html } from '@financial-agents/pages/html'
import { notice } from '@financial-agents/pages/parts'
import { duration, instant } from '@financial-agents/pages/times'
import texts from '../../../messages/en.json' with { type: 'json' }
import {
  type CircuitSums,
  lastHourFrom,
  type ReadDay,
  type ReadHealthView,
  type ReadSums,
} from '../../store/read-health.ts'
import { share } from './share.ts'

export function readSections({ lastHour, circuits, days }: ReadHealthView, now: Date): Html {
  return html`<section id="reads"><h2>Reads, by kind</h2>
<p>${texts.readHealth.lead}</p>
${circuitResult(circuits)}${readTable(lastHour, circuits, now)}</section>
<section id="read-days"><h2>Reads, by day</h2>${dayTable(days)}</section>`
}

function circuitResult(circuits: readonly CircuitSums[]): Html {
  const broken = circuits.filter(({ open, half_open }) => open + half_open > 0)
  if (circuits.length === 0) return notice('neutral', html`<strong>${texts.readHealth.noReport}</strong>`)
  if (broken.length === 0)
    return notice('good', html`<strong>${texts.readHealth.closed}</strong> ${texts.readHealth.closedMore}`)
  return notice(
    'bad',
    html`<strong>Circuits are open for ${broken.length} of ${circuits.length} kinds of read.</strong> ${texts.readHealth.openMore}`,
  )
}

const keyOf = ({ provider, read }: { provider: string; read: string }) => `${provider} ${read}`.trim()

function readTable(reads: readonly ReadSums[], circuits: readonly CircuitSums[], now: Date): Html {
  const sums = new Map(reads.map((sum) => [keyOf(sum), sum]))
  const states = new Map(circuits.map((circuit) => [keyOf(circuit), circuit]))
  const kinds = new Map([...reads, ...circuits].map((one) => [keyOf(one), one]))
  if (kinds.size === 0) return html`<p class="none">${texts.readHealth.nothingRead}</p>`
  const minutes = (now.getTime() - lastHourFrom(now).getTime()) / 60_000
  const rows = [...kinds]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, { provider, read }]) => {
      const { calls, failed, turned_away, mean_ms, most_ms } = sums.get(key) ?? nothing
      return html`<tr data-key="${key}"><th scope="row"><code>${read}</code></th><td data-label="Provider">${provider || 'Public read'}</td>
<td data-label="Circuit">${circuitWords(states.get(key), now)}</td><td class="number-cell" data-label="Reads">${calls}</td>
<td class="number-cell" data-label="A minute">${(calls / minutes).toFixed(1)}</td><td class="number-cell" data-label="Failed">${failed} (${share(failed, calls)})</td>
<td class="number-cell" data-label="Turned away">${turned_away}</td><td class="number-cell" data-label="Mean">${mean_ms === null ? 'Unknown' : duration(mean_ms)}</td>
<td class="number-cell" data-label="Longest">${calls === 0 ? 'Unknown' : duration(most_ms)}</td></tr>`
    })
  return html`<table class="list dense"><caption class="hidden">Reads of about the last hour by kind, with the circuits of now</caption><thead><tr><th scope="col">Read</th><th scope="col">Provider</th><th scope="col">Circuit</th><th scope="col" class="number-cell">Reads</th><th scope="col" class="number-cell">A minute</th><th scope="col" class="number-cell">Failed</th><th scope="col" class="number-cell">Turned away</th><th scope="col" class="number-cell">Mean</th><th scope="col" class="number-cell">Longest</th></tr></thead><tbody>${rows}</tbody></table>
<p class="soft">Figures are of the time since ${instant(lastHourFrom(now), now)}. ${texts.readHealth.missingReports}</p>`
}

const nothing = { calls: 0, failed: 0, turned_away: 0, mean_ms: null, most_ms: 0 }

function circuitWords(circuit: CircuitSums | undefined, now: Date): Html {
  if (circuit === undefined) return html`Unknown: no process reports it`
  const { processes, open, half_open, since } = circuit
  if (open + half_open === 0) return html`Closed since ${instant(since, now)}`
  const states = [open > 0 ? `open in ${open}` : '', half_open > 0 ? `half-open in ${half_open}` : ''].filter(Boolean)
  return html`<strong>Not closed</strong>: ${states.join(', ')} of ${processes} processes, since ${instant(since, now)}`
}

function dayTable(days: readonly ReadDay[]): Html {
  if (days.length === 0) return html`<p class="none">${texts.readHealth.nothingRead}</p>`
  const rows = days
    .toReversed()
    .map(
      ({ day, calls, failed, turned_away, mean_ms, most_ms }) =>
        html`<tr data-key="${day}"><th scope="row">${day}</th><td class="number-cell" data-label="Reads">${calls}</td><td class="number-cell" data-label="Failed">${failed} (${share(failed, calls)})</td><td class="number-cell" data-label="Turned away">${turned_away}</td><td class="number-cell" data-label="Mean">${mean_ms === null ? 'Unknown' : duration(mean_ms)}</td><td class="number-cell" data-label="Longest">${calls === 0 ? 'Unknown' : duration(most_ms)}</td></tr>`,
    )
  return html`<table class="list dense"><caption class="hidden">Reads by day, all kinds</caption><thead><tr><th scope="col">Day (UTC)</th><th scope="col" class="number-cell">Reads</th><th scope="col" class="number-cell">Failed</th><th scope="col" class="number-cell">Turned away</th><th scope="col" class="number-cell">Mean</th><th scope="col" class="number-cell">Longest</th></tr></thead><tbody>${rows}</tbody></table>`
}
