/**
 * Messages in every language, as ICU MessageFormat (FormatJS). A table of messages stands beside the view that says
 * them. The compiler refuses a message without one of the languages, a message that is not in the table, and a missing
 * value.
 *
 * Invariant: a message is our own text. A text of somebody else is a value of a message only if an element isolates it.
 */

import type { GetICUArgs } from '@schummar/icu-type-parser'
import { IntlMessageFormat } from 'intl-messageformat'
import { type Html, type HtmlValue, html } from './html.ts'
import type { Language } from './language.ts'

/** One message in every language. The English one says which values it takes. */
export type Texts = { readonly [L in Language]: string }

/** A table of messages by their keys. */
export type Words = Readonly<Record<string, Texts>>

/** Declares a table of messages. */
export function words<const Table extends Words>(table: Table): Table {
  return table
}

type Values<Text extends string, Value> = GetICUArgs<Text, { ICUArgument: Value; ICUNumberArgument: number }>

/** The remaining arguments: none for a message without values. */
type Rest<Text extends string, Value> = keyof Values<Text, Value> extends never ? [] : [values: Values<Text, Value>]

/** The elements of a message, for example `a` for `<a>…</a>`. `b` is known to every message. */
export type Elements = Readonly<Record<string, (content: Html) => Html>>

/** Says the messages of one table in one language. */
export type Say<Table extends Words> = {
  /** The message as text. */
  <Key extends keyof Table>(key: Key, ...rest: Rest<Table[Key]['en'], string | number>): string
  /** The message as HTML. Its values may be HTML, and it may have elements. */
  rich: <Key extends keyof Table>(
    key: Key,
    values: Values<Table[Key]['en'], Html | string | number>,
    elements?: Elements,
  ) => Html
}

const known: Elements = { b: (content) => html`<strong>${content}</strong>` }

/** Returns the function that says the messages of a table. `locale` formats the numbers of a message. */
export function sayIn<Table extends Words>(table: Table, language: Language, locale: string): Say<Table> {
  const formatOf = (key: keyof Table) => messageFormat((table[key] as Texts)[language], locale)
  const say = (key: keyof Table, values: Record<string, string | number> = {}) => String(formatOf(key).format(values))
  const rich = (key: keyof Table, values: object, elements: Elements = {}) => {
    const tags = Object.fromEntries(
      Object.entries({ ...known, ...elements }).map(([name, element]) => [
        name,
        (content: HtmlValue[]) => element(html`${content}`),
      ]),
    )
    const parts = formatOf(key).formatToParts<HtmlValue>({ ...values, ...tags })
    return html`${parts.map((part) => part.value)}`
  }
  return Object.assign(say, { rich }) as unknown as Say<Table>
}

/** Enough for every message in several locales. Locales come from readers, so the number of formats has a bound. */
const mostFormats = 5_000
const formats = new Map<string, IntlMessageFormat>()

function messageFormat(text: string, locale: string): IntlMessageFormat {
  const key = `${locale} ${text}`
  const known = formats.get(key)
  if (known) return known
  if (formats.size >= mostFormats) formats.clear()
  const made = new IntlMessageFormat(text, locale)
  formats.set(key, made)
  return made
}
