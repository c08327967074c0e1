/**
 * Small bar plots without scripts. The bars are one path of an SVG image that takes the available width. The text
 * beside the plot says the same in words, and a table holds the same numbers.
 */

import { type Html, html } from './html.ts'

export type Plot = {
  title: string
  /** The values from left to right. None is negative. */
  values: readonly number[]
  /** The labels below the first and the last bar. */
  axis: readonly [first: string, last: string]
  /** A description of the image for readers who cannot see it. */
  description: string
}

/**
 * Renders a bar that is filled by the share of `part` in `whole`. `pending` is the end of `part`, and is shown in
 * another colour. If it is unknown, the whole part is striped. The text beside the bar says the same.
 */
export function share(part: number, whole: number, pending: number | 'unknown' = 0): Html {
  const percent = (of: number) =>
    whole > 0 ? Math.min(100, Math.max(of > 0 ? 1 : 0, Math.round((of / whole) * 100))) : 0
  const filled = percent(part)
  if (pending === 'unknown') return bar(html`<path class="filled" d="${stripes(filled)}"/>`)
  const wide = Math.min(filled, percent(pending))
  const apart = wide === 0 ? '' : html`<path class="pending" d="M${filled - wide} 0h${wide}v4h-${wide}z"/>`
  return bar(html`<path class="filled" d="M0 0h${filled}v4H0z"/>${apart}`)
}

function bar(parts: Html): Html {
  return html`<svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false"><path class="ground" d="M0 0h100v4H0z"/>${parts}</svg>`
}

/** Path data of stripes from the start to `wide`, each as wide as the space after it. */
function stripes(wide: number): string {
  return Array.from({ length: Math.ceil(wide / 2) }, (_, index) => `M${index * 2} 0h1v4h-1z`).join('')
}

const height = 100
const slot = 10
const gap = 2

/** Renders the plot with its title and the sum of its values. */
export function plot({ title, values, axis, description }: Plot): Html {
  const total = values.reduce((sum, value) => sum + value, 0)
  const width = values.length * slot
  return html`<figure class="plot"><figcaption>${title} <span class="number">${total}</span></figcaption>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${description}"><path class="bars" d="${bars(values)}"/><path class="ground" d="M0 ${height}h${width}"/></svg>
<div class="axis" aria-hidden="true"><span>${axis[0]}</span><span>${axis[1]}</span></div></figure>`
}

/**
 * Returns the path data (`d`) of the bars. The highest bar is as high as the image, and every value above zero stays
 * visible.
 */
export function bars(values: readonly number[]): string {
  const most = Math.max(...values, 0)
  return values
    .map((value, index) => {
      if (value <= 0) return ''
      const tall = Math.max(4, Math.round((value / most) * height))
      return `M${index * slot + gap / 2} ${height}v-${tall}h${slot - gap}v${tall}z`
    })
    .join('')
}
