/**
 * The messages of the pages, as ICU MessageFormat (FormatJS): a file a language in `messages`. The compiler refuses a message that
 * is not in the English file, a missing value and a missing element.
 *
 * Invariant: a message is our own text. A text of somebody else is a value of a message only if an element isolates it.
 */

import { IntlMessageFormat } from 'intl-messageformat'
import { catalogues, type Messages } from './generated/catalogues.ts'
import { type Html, type HtmlValue, html } from './html.ts'
import type { Language } from './language.ts'

export type MessageSection = keyof Messages
export type MessageKey<Section extends MessageSection> = keyof Messages[Section] & string

type Names<Message, Kind extends 'text' | 'number' | 'element'> = Kind extends unknown
  ? Message extends { readonly [K in Kind]: infer Name extends string }
    ? Name
    : never
  : never
type Values<Message, Value> = { readonly [N in Names<Message, 'text'>]: Value } & {
  readonly [N in Names<Message, 'number'>]: number
}

/** The keys of the messages without elements. */
type PlainKey<Section extends MessageSection> = {
  [Key in MessageKey<Section>]: Messages[Section][Key] extends { element: string } ? never : Key
}[MessageKey<Section>]

/** The remaining arguments: none for a message without values. */
type Rest<Message> = [Names<Message, 'text' | 'number'>] extends [never]
  ? []
  : [values: Values<Message, string | number>]

type Element = (content: Html) => Html

/** The elements of a message, for example `a` for `<a>…</a>`. Every message knows `b`. */
type Elements<Message> = [Exclude<Names<Message, 'element'>, 'b'>] extends [never]
  ? []
  : [elements: { readonly [N in Exclude<Names<Message, 'element'>, 'b'>]: Element }]

export type Say<Section extends MessageSection> = {
  /** The message as text. */
  <Key extends PlainKey<Section>>(key: Key, ...rest: Rest<Messages[Section][Key]>): string
  /** The message as HTML. Its values may be HTML, and it may have elements. */
  rich: <Key extends MessageKey<Section>>(
    key: Key,
    values: Values<Messages[Section][Key], Html | string | number>,
    ...elements: Elements<Messages[Section][Key]>
  ) => Html
}

const known = { b: (content: Html) => html`<strong>${content}</strong>` }

/** `locale` formats the numbers of a message. */
export function sayIn<Section extends MessageSection>(
  section: Section,
  language: Language,
  locale: string,
): Say<Section> {
  const texts: Readonly<Record<string, string>> = catalogues[language].messages[section]
  const formatOf = (key: string) => messageFormat(texts[key] as string, locale)
  const say = (key: string, values: Record<string, string | number> = {}) => String(formatOf(key).format(values))
  const rich = (key: string, values: object, elements: Readonly<Record<string, Element>> = {}) => {
    const tags = Object.fromEntries(
      Object.entries({ ...known, ...elements }).map(([name, element]) => [
        name,
        (content: HtmlValue[]) => element(html`${content}`),
      ]),
    )
    const parts = formatOf(key).formatToParts<HtmlValue>({ ...values, ...tags })
    return html`${parts.map((part) => part.value)}`
  }
  return Object.assign(say, { rich })
}

export function hasMessage<Section extends MessageSection>(section: Section, key: string): key is MessageKey<Section> {
  return Object.hasOwn(catalogues.en.messages[section], key)
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
