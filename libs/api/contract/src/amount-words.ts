/** Amounts in words for people, the same on the owner's pages and in what an owner confirms. */

import { findMinorUnitDigits } from './minor-units.ts'

/** Decimals have at most 18 digits after the point; `Intl` allows up to 100. */
const mostDigits = 100

/** Locales come from readers, so the number of formats has a bound. */
const mostFormats = 1_000
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string, locale: string): Intl.NumberFormat {
  const key = `${currency} ${locale}`
  const known = formats.get(key)
  if (known) return known
  if (formats.size >= mostFormats) formats.clear()
  const made = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: findMinorUnitDigits(currency) ?? 0,
    maximumFractionDigits: mostDigits,
  })
  formats.set(key, made)
  return made
}

/**
 * Formats `1234.5` euros as `EUR 1,234.50`: exact, with the currency's number of digits, and never fewer digits than the
 * amount has.
 * @param amount a decimal, which may have a sign or an exponent
 * @param currency three capital letters
 * @param locale the reader's locale, BCP 47
 */
export function amountWords(amount: string, currency: string, locale = 'en-GB'): string {
  // `Intl` reads a string exactly. Its no-break space would make the text differ from one that a person types.
  return formatOf(currency, locale)
    .format(amount as Intl.StringNumericLiteral)
    .replaceAll('\u00A0', ' ')
}
