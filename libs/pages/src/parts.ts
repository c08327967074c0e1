/**
 * The few parts that pages are put together from, so that a message, a status or an amount looks the same everywhere. No part
 * says anything by colour alone.
 */

import { type Html, type HtmlValue, html } from './html.ts'

/** How a message or a status is meant; each has a shape of its own beside its colour. */
export type Tone = 'good' | 'neutral' | 'warning' | 'bad'

const shapes: { readonly [T in Tone]: Html } = {
  good: html`<path d="m3.5 8.5 3 3 6-7"/>`,
  neutral: html`<circle cx="8" cy="8" r="4.5"/>`,
  warning: html`<path d="M8 2.5 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.2"/>`,
  bad: html`<path d="m4 4 8 8M12 4l-8 8"/>`,
}

/** A status: a shape of its own and a word. */
export function status(tone: Tone, word: string): Html {
  return html`<span class="status ${tone}">${shape(tone)}${word}</span>`
}

/** A message about what just happened, or what the reader should know first. Screen readers say it at once. */
export function notice(tone: Tone, message: HtmlValue): Html {
  const role = tone === 'bad' || tone === 'warning' ? 'alert' : 'status'
  return html`<div class="notice ${tone}" role="${role}">${shape(tone)}<div>${message}</div></div>`
}

/** Terms and what they are, as a description list. */
export function facts(rows: readonly (readonly [term: string, value: HtmlValue])[]): Html {
  return html`<dl class="facts">${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`
}

/**
 * A moment, exact for machines and in words for people.
 * @param zone where the reader lives (IANA); a zone that is not known here is UTC
 */
export function moment(at: Date, zone = 'UTC'): Html {
  return html`<time datetime="${at.toISOString()}">${inZone(at, zone, { ...dayParts, ...timeParts })}</time>`
}

/** A day in words, where the reader lives. */
export function day(at: Date, zone = 'UTC'): Html {
  return html`<time datetime="${at.toISOString()}">${inZone(at, zone, dayParts)}</time>`
}

/** What a form is made of. */
export type Form = {
  /** Where it goes, always by POST. */
  action: string
  /** Hidden fields; the token against forgery is one. */
  hidden: Readonly<Record<string, string>>
  body: Html
}

/** A form that is posted. */
export function form({ action, hidden, body }: Form): Html {
  const fields = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="${action}" class="plain">${fields}${body}</form>`
}

/** `primary` is what the page is for, `danger` what ends something, `secondary` the way back. */
export type ButtonKind = 'primary' | 'secondary' | 'danger'

/** A button that submits its form; with `value` it says which one was pressed, under the name `decision`. */
export function button(kind: ButtonKind, label: HtmlValue, value?: string): Html {
  return value === undefined
    ? html`<button type="submit" class="${kind}">${label}</button>`
    : html`<button type="submit" class="${kind}" name="decision" value="${value}">${label}</button>`
}

/** A field with its label, and what is said about what was written into it. */
export type TextField = {
  name: string
  label: string
  hint?: HtmlValue
  value?: string
  /** Why the value was refused; it stays in the field. */
  error?: string | undefined
  /** Raw attributes that the field needs, each a name and a value. */
  attributes?: Readonly<Record<string, string>>
  /** Stands behind the field: a currency. */
  suffix?: string
}

/** A labelled field whose hint and error are read out with it. */
export function textField({ name, label, hint, value = '', error, attributes = {}, suffix }: TextField): Html {
  const described = [hint === undefined ? '' : `${name}-hint`, error === undefined ? '' : `${name}-error`]
  const more = Object.entries(attributes).map(([key, text]) => html` ${key}="${text}"`)
  return html`<div class="field${error === undefined ? '' : ' wrong'}">
<label for="${name}">${label}</label>
${hint === undefined ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error === undefined ? '' : html`<p class="error" id="${name}-error">${shape('bad')}${error}</p>`}
<div class="input"><input type="text" id="${name}" name="${name}" value="${value}"${
    error === undefined ? '' : html` aria-invalid="true"`
  }${described.join('') === '' ? '' : html` aria-describedby="${described.join(' ').trim()}"`}${more}>${
    suffix === undefined ? '' : html`<span class="suffix">${suffix}</span>`
  }</div></div>`
}

/** A box to tick, never ticked to begin with. What stands below its label is read out with it. */
export function checkbox({ name, label, below }: { name: string; label: HtmlValue; below?: HtmlValue }): Html {
  const described = below === undefined ? '' : html` aria-describedby="${name}-below"`
  return html`<div class="tick"><input type="checkbox" id="${name}" name="${name}" value="yes"${described}><div><label for="${name}">${label}</label>${
    below === undefined ? '' : html`<div class="below" id="${name}-below">${below}</div>`
  }</div></div>`
}

/** The shape of a tone alone, in its colour, beside words that say the same. */
export function mark(tone: Tone): Html {
  return html`<span class="mark-of ${tone}">${shape(tone)}</span>`
}

function shape(tone: Tone): Html {
  return html`<svg class="shape" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">${shapes[tone]}</svg>`
}

const dayParts = { day: 'numeric', month: 'long', year: 'numeric' } as const
const timeParts = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const

function inZone(at: Date, zone: string, parts: Intl.DateTimeFormatOptions): string {
  try {
    return new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: zone }).format(at)
  } catch (error) {
    if (!(error instanceof RangeError) || zone === 'UTC') throw error
    return inZone(at, 'UTC', parts)
  }
}
