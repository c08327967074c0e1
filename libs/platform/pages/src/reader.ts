/**
 * The person who reads a page: the language of the texts, and the way in which amounts and times are written for them.
 *
 * Invariant: amounts and times are written with the digits 0 to 9 and the Gregorian calendar in every language, so that
 * the same amount never reads as another one.
 */

import { type Html, html } from './html.ts'
import { type Choice, choiceOf, type Language } from './language.ts'
import { type MessageSection, type Say, sayIn } from './messages.ts'

export type Reader = {
  language: Language
  direction: 'ltr' | 'rtl'
  /** The locale of amounts and times, with the digits and the calendar. */
  locale: string
  /** An IANA name. An unknown one counts as UTC. */
  timezone: string
  say: <Section extends MessageSection>(section: Section) => Say<Section>
  /** A moment in words, with its zone; exact for machines. */
  timestamp: (at: Date) => Html
  /** A day in words, in the reader's zone. */
  day: (at: Date) => Html
  /** A month of UTC in words. */
  month: (at: Date) => string
  /** A decimal as the reader writes it into a field, for example `49,90`. */
  written: (amount: string) => string
}

const dayParts = { day: 'numeric', month: 'long', year: 'numeric' } as const
const timeParts = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const

/** `zone`: the reader's IANA time zone. */
export function createReader({ language, locale: tag }: Choice, zone: string | undefined): Reader {
  const locale = new Intl.Locale(tag, { numberingSystem: 'latn', calendar: 'gregory' }).toString()
  const timezone = zone !== undefined && isZone(zone) ? zone : 'UTC'
  const write = (at: Date, parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...parts, timeZone: timezone }).format(at)
  const time = (at: Date, text: string) => html`<time datetime="${at.toISOString()}">${text}</time>`
  return {
    language,
    direction: new Intl.Locale(locale).getTextInfo().direction ?? 'ltr',
    locale,
    timezone,
    say: (section) => sayIn(section, language, locale),
    timestamp: (at) => time(at, write(at, { ...dayParts, ...timeParts })),
    day: (at) => time(at, write(at, dayParts)),
    month: (at) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at),
    written: (amount) => writtenIn(locale, amount),
  }
}

/** The reader of pages that have one language. */
export const englishReader: Reader = createReader(choiceOf('en', ['en']) as Choice, undefined)

/**
 * A fraction of three digits keeps its point: with a comma it could be read as thousands, and the form refuses it.
 */
function writtenIn(locale: string, amount: string): string {
  const hasComma = new Intl.NumberFormat(locale).format(0.5).includes(',')
  return hasComma && !/\.\d{3}$/.test(amount) ? amount.replace('.', ',') : amount
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return false
  }
}
