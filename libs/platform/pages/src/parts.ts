/**
 * The few parts from which pages are built, so that a message, a status or an amount looks the same everywhere. No part
 * conveys meaning by colour alone.
 */

import { type Html, type HtmlValue, html } from './html.ts'

/** The meaning of a message or a status. Each tone has a shape beside its colour. */
export type Tone = 'good' | 'neutral' | 'warning' | 'bad'

const shapes: { readonly [T in Tone]: Html } = {
  good: html`<path d="m3.5 8.5 3 3 6-7"/>`,
  neutral: html`<circle cx="8" cy="8" r="4.5"/>`,
  warning: html`<path d="M8 2.5 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.2"/>`,
  bad: html`<path d="m4 4 8 8M12 4l-8 8"/>`,
}

/** Renders a status: the shape of its tone, and a word. */
export function status(tone: Tone, word: Html | string): Html {
  return html`<span class="status ${tone}">${shape(tone)}${word}</span>`
}

/**
 * Renders a message about what just happened or what the reader must know first. Screen readers announce it at once.
 */
export function notice(tone: Tone, message: HtmlValue): Html {
  const role = tone === 'bad' || tone === 'warning' ? 'alert' : 'status'
  return html`<div class="notice ${tone}" role="${role}">${shape(tone)}<div>${message}</div></div>`
}

/** Renders terms and their values as a description list. */
export function facts(rows: readonly (readonly [term: Html | string, value: HtmlValue])[]): Html {
  return html`<dl class="facts">${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`
}

/**
 * Renders a moment: exact for machines, in words for people.
 * @param zone the reader's IANA time zone; an unknown zone is taken as UTC
 */
export function timestamp(at: Date, zone = 'UTC'): Html {
  return html`<time datetime="${at.toISOString()}">${inZone(at, zone, { ...dayParts, ...timeParts })}</time>`
}

/** Renders a day in words, in the reader's time zone. */
export function day(at: Date, zone = 'UTC'): Html {
  return html`<time datetime="${at.toISOString()}">${inZone(at, zone, dayParts)}</time>`
}

export type Form = {
  /** The target of the form, which is always sent by POST. */
  action: string
  /** Hidden fields, including the token against forged forms. */
  hidden: Readonly<Record<string, string>>
  body: Html
}

/** Renders a form that is sent by POST. */
export function form({ action, hidden, body }: Form): Html {
  const fields = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="${action}" class="plain">${fields}${body}</form>`
}

/** `primary` does what the page is for, `danger` ends something, `secondary` leads back. */
export type ButtonKind = 'primary' | 'secondary' | 'danger'

/** Renders a button that submits its form. With `value`, the form sends that value as `decision`. */
export function button(kind: ButtonKind, label: HtmlValue, value?: string): Html {
  return value === undefined
    ? html`<button type="submit" class="${kind}">${label}</button>`
    : html`<button type="submit" class="${kind}" name="decision" value="${value}">${label}</button>`
}

/** A text field with its label, its hint and its error. */
export type TextField = {
  name: string
  label: string
  hint?: HtmlValue
  value?: string
  /** The reason why the value was refused. The refused value stays in the field. */
  error?: string | undefined
  /** Further attributes of the input element, by name. */
  attributes?: Readonly<Record<string, string>>
  /** Text behind the field, for example a currency. */
  suffix?: string
}

/** Screen readers read its hint and its error together with the label. */
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

/**
 * Renders a box to tick, which is never ticked at first. Screen readers read the text below the label together with it.
 */
export function checkbox({ name, label, below }: { name: string; label: HtmlValue; below?: HtmlValue }): Html {
  const described = below === undefined ? '' : html` aria-describedby="${name}-below"`
  return html`<div class="tick"><input type="checkbox" id="${name}" name="${name}" value="yes"${described}><div><label for="${name}">${label}</label>${
    below === undefined ? '' : html`<div class="below" id="${name}-below">${below}</div>`
  }</div></div>`
}

/** Renders the shape of a tone in its colour, beside words that say the same. */
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
