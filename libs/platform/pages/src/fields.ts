/**
 * Form fields beside the one-line field of `parts`: a choice, a longer text, a box to tick, and the filter form of a
 * list.
 */

import { type Html, type HtmlValue, html } from './html.ts'
import { button, mark } from './parts.ts'
import { englishReader, type Reader } from './reader.ts'

/** A field to choose one option. The first option stands for no choice. */
export type SelectField = {
  name: string
  label: string
  /** The text of the option for no choice, for example `Any state`. */
  none: string
  options: readonly (readonly [value: string, word: string])[]
  value?: string | undefined
}

/** Renders a labelled choice. */
export function selectField({ name, label, none, options, value = '' }: SelectField): Html {
  const all = [['', none] as const, ...options]
  return html`<div class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}">${all.map(
    ([key, word]) => html`<option value="${key}"${key === value ? html` selected` : ''}>${word}</option>`,
  )}</select></div>`
}

/** A box that the reader ticks to request something. */
export type TickField = {
  name: string
  label: HtmlValue
  checked: boolean
  /** A description that stands below the box and is read out with it. */
  about: Html
}

/** Renders a box to tick with its label and its description. */
export function tickField({ name, label, checked, about }: TickField): Html {
  return html`<div class="field tick-field"><input type="checkbox" id="${name}" name="${name}" value="on" aria-describedby="${name}-about"${checked ? html` checked` : ''}>
<label for="${name}">${label}</label><div id="${name}-about">${about}</div></div>`
}

export type TextArea = {
  name: string
  label: string
  hint: string
  value?: string
  /** The reason why the text was refused. The refused text stays in the field. */
  error?: string | undefined
  minLength: number
  maxLength: number
  /** True if the field may stay empty. */
  optional?: boolean
}

export function textArea({ name, label, hint, value = '', error, minLength, maxLength, optional }: TextArea): Html {
  const wrong = error !== undefined
  return html`<div class="field${wrong ? ' wrong' : ''}"><label for="${name}">${label}</label>
<p class="hint" id="${name}-hint">${hint}</p>
${wrong ? html`<p class="error" id="${name}-error">${mark('bad')}${error}</p>` : ''}
<textarea id="${name}" name="${name}" rows="3"${optional ? '' : html` required`} minlength="${minLength}" maxlength="${maxLength}" aria-describedby="${name}-hint${wrong ? ` ${name}-error` : ''}"${wrong ? html` aria-invalid="true"` : ''}>
${value}</textarea></div>`
}

/** Renders the filters of a list. The form is sent by GET, so the address contains every filter. */
export function filterForm({
  action,
  fields,
  clear,
  reader = englishReader,
}: {
  action: string
  fields: readonly Html[]
  clear: boolean
  reader?: Reader
}): Html {
  const say = reader.say('frame')
  return html`<form method="get" action="${action}" class="filters" role="search" aria-label="${say('filters')}">${[...fields]}
<div class="actions">${button('secondary', say('filter'))}${clear ? html`<a class="button quiet" href="${action}">${say('clearAll')}</a>` : ''}</div></form>`
}
