/**
 * Small plots without a script: bars as one path of a picture that takes the width it is given. What it shows is said in words
 * beside it; whoever cannot see it reads the same numbers in a table.
 */

import { type Html, html } from './html.ts'

/** One plot. */
export type Plot = {
  title: string
  /** From left to right, none below zero. */
  values: readonly number[]
  /** What stands below the first and the last bar. */
  axis: readonly [first: string, last: string]
  /** What the picture shows, for whoever cannot see it. */
  description: string
}

const height = 100
const slot = 10
const gap = 2

/** The plot with its title and its sum. */
export function plot({ title, values, axis, description }: Plot): Html {
  const total = values.reduce((sum, value) => sum + value, 0)
  const width = values.length * slot
  return html`<figure class="plot"><figcaption>${title} <span class="number">${total}</span></figcaption>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${description}"><path class="bars" d="${bars(values)}"/><path class="ground" d="M0 ${height}h${width}"/></svg>
<div class="axis" aria-hidden="true"><span>${axis[0]}</span><span>${axis[1]}</span></div></figure>`
}

/** As the `d` of a path: a bar for each value, the highest as high as the picture; whatever is not zero is seen. */
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
