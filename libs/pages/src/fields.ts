/** Fields beside the one-line one of `parts`: a choice, a longer text, and the form of a list's filters, which goes into the address. */

import { type Html, type HtmlValue, html } from './html.ts'
import { button, mark } from './parts.ts'

/** A choice of one; the first option is none. */
export type SelectField = {
  name: string
  label: string
  /** What choosing nothing means: `Any state`. */
  none: string
  options: readonly (readonly [value: string, word: string])[]
  value?: string | undefined
}

/** A labelled choice. */
export function selectField({ name, label, none, options, value = '' }: SelectField): Html {
  const all = [['', none] as const, ...options]
  return html`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}">${all.map(
    ([key, word]) => html`<option value="${key}"${key === value ? html` selected` : ''}>${word}</option>`,
  )}</select></div>`
}

/** Something that is done only where it is ticked. */
export type TickField = {
  name: string
  label: HtmlValue
  checked: boolean
  /** What is ticked, for everybody to read with it. */
  about: Html
}

/** A box to tick with its label, and below it what it is about. */
export function tickField({ name, label, checked, about }: TickField): Html {
  return html`<div class="field tick-field"><input type="checkbox" id="${name}" name="${name}" value="on" aria-describedby="${name}-about"${checked ? html` checked` : ''}>
<label for="${name}">${label}</label><div id="${name}-about">${about}</div></div>`
}

/** A text of several lines. */
export type TextArea = {
  name: string
  label: string
  hint: string
  value?: string
  /** Why the text was refused; it stays in the field. */
  error?: string | undefined
  minLength: number
  maxLength: number
}

/** A labelled text of several lines that has to be given. */
export function textArea({ name, label, hint, value = '', error, minLength, maxLength }: TextArea): Html {
  const wrong = error !== undefined
  return html`<div class="field${wrong ? ' wrong' : ''}"><label for="${name}">${label}</label>
<p class="hint" id="${name}-hint">${hint}</p>
${wrong ? html`<p class="error" id="${name}-error">${mark('bad')}${error}</p>` : ''}
<textarea id="${name}" name="${name}" rows="3" required minlength="${minLength}" maxlength="${maxLength}" aria-describedby="${name}-hint${wrong ? ` ${name}-error` : ''}"${wrong ? html` aria-invalid="true"` : ''}>
${value}</textarea></div>`
}

/** Filters of a list; sent by GET, so that the address says all of it. */
export function filterForm({
  action,
  fields,
  clear,
}: {
  action: string
  fields: readonly Html[]
  clear: boolean
}): Html {
  return html`<form method="get" action="${action}" class="filters" role="search" aria-label="Filters">${[...fields]}
<div class="actions">${button('secondary', 'Filter')}${clear ? html`<a class="button quiet" href="${action}">Clear all</a>` : ''}</div></form>`
}
