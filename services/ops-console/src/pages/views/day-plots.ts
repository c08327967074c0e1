/** The last 24 hours by hour: accepted operations and outcomes, as plots and as the table behind the plots. */

import type { OperationsOverview } from '@financial-agents/bus/messages/operator'
import { type Html, html } from '@financial-agents/pages/html'
import { plot } from '@financial-agents/pages/plot'
import texts from '../../../messages/en.json' with { type: 'json' }
import { counted } from '../links.ts'

type Hours = OperationsOverview['hours']
type Series = Exclude<keyof Hours[number], 'hour'>

const series: readonly (readonly [Series, string])[] = [
  ['created', 'Accepted'],
  ['succeeded', 'Succeeded'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
]

export function dayPlots(hours: Hours): Html {
  const first = hours[0]
  if (!first) return html`<p class="none">${texts.dayPlots.nothingKnown}</p>`
  const axis = [hourOf(first.hour), `${hourOf(hours.at(-1)?.hour ?? first.hour)} UTC`] as const
  return html`<div class="plots">${series.map(([name, title]) => {
    const values = hours.map((hour) => hour[name])
    return plot({ title, values, axis, description: describe(title, hours, values) })
  })}</div>
<details id="hours"><summary>The same as a table</summary>${hourTable(hours)}</details>`
}

function describe(title: string, hours: Hours, values: readonly number[]): string {
  const total = values.reduce((sum, value) => sum + value, 0)
  if (total === 0) return `${title} in each of the last ${hours.length} hours: none.`
  const most = Math.max(...values)
  const at = hours[values.indexOf(most)]?.hour ?? ''
  return `${title} in each of the last ${hours.length} hours: ${total} in all, most (${most}) in the hour from ${hourOf(at)} UTC.`
}

function hourTable(hours: Hours): Html {
  const eventful = hours.filter((hour) => series.some(([name]) => hour[name] > 0)).toReversed()
  if (eventful.length === 0) return html`<p class="none">${texts.dayPlots.nothing}</p>`
  const heads = series.map(([, title]) => html`<th scope="col" class="number-cell">${title}</th>`)
  const rows = eventful.map((hour) => {
    const cells = series.map(
      ([name, title]) =>
        html`<td class="number-cell" data-label="${title}">${counted(hour[name], queryOf(name, hour.hour))}</td>`,
    )
    return html`<tr data-key="${hour.hour}"><th scope="row">${hourOf(hour.hour)} UTC</th>${cells}</tr>`
  })
  return html`<table class="list"><thead><tr><th scope="col">Hour from</th>${heads}</tr></thead><tbody>${rows}</tbody></table>
<p class="soft small">${texts.dayPlots.emptyHours}</p>`
}

/** Returns the filters of the list that shows the operations behind one number of an hour. */
function queryOf(name: Series, hour: string) {
  const end = new Date(Date.parse(hour) + hourMs)
  // `created_until` includes its moment, so it is the last millisecond of the hour.
  if (name === 'created') return { created_from: hour, created_until: new Date(end.getTime() - 1).toISOString() }
  return { state: name, ended_from: hour, ended_until: end.toISOString() }
}

const hourMs = 3_600_000

function hourOf(hour: string): string {
  return new Date(hour).toISOString().slice(11, 16)
}
