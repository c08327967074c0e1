/** Moments in UTC to the second, and their distance from now, for people who compare them with a log. */

import { type Html, html } from './html.ts'

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** `20 Nov 2026, 20:18:05 UTC`, and its distance from `now`: `(3 min ago)` or `(in 12 s)`. */
export function instant(at: Date, now: Date): Html {
  return html`${exactly(at)} <span class="soft">(${distance(at, now)})</span>`
}

/** `20 Nov 2026, 20:18:05 UTC`, without the distance. */
export function exactly(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${day.format(at)}, ${clockTime(at)} UTC</time>`
}

/** `20:18:05`, in UTC. */
export function clockTime(at: Date): string {
  return at.toISOString().slice(11, 19)
}

/** `3 min ago`, `in 12 s`, `now`. */
export function distance(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime()
  if (Math.abs(ms) < 1_000) return 'now'
  return ms > 0 ? `${duration(ms)} ago` : `in ${duration(-ms)}`
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/**
 * The two largest units of a span, for example `1 h 5 min`. Spans below ten seconds show tenths, spans below one second
 * milliseconds.
 */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.floor(ms)} ms`
  if (ms < 10_000) return `${Math.floor(ms / 100) / 10} s`
  const seconds = Math.floor(ms / 1_000) * 1_000
  const first = units.findIndex(([, unitMs]) => seconds >= unitMs)
  const [large, small] = units.slice(first, first + 2)
  if (!large) return '0 s'
  const count = Math.floor(seconds / large[1])
  const rest = small ? Math.floor((seconds % large[1]) / small[1]) : 0
  return small && rest > 0 ? `${count} ${large[0]} ${rest} ${small[0]}` : `${count} ${large[0]}`
}
