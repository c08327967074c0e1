/**
 * A provider's free text, made fit to be shown. Payers write into it what they please: account numbers, addresses, names,
 * characters that turn the text around them.
 *
 * Invariant: what comes out has no IBAN, no card, account or telephone number (no seven digits in a row, whatever stands
 * between them), no e-mail address, no URL with a secret in it, no control, bidi or invisible character, and at most 140
 * code points. What came out goes through unchanged.
 */

const maxCodePoints = 140
/** Nobody shows more: what lies behind is not even looked at. */
const maxLooked = 1_000
const mask = '••••'

const spaceLike = /[\p{Cc}\p{Z}]+/gu
/** Bidi controls, zero-width characters, variation selectors, tags, private characters, halves of pairs. */
const invisible = /[\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu

/** Two letters, two digits and groups of four, as an IBAN is printed; written in one piece it is a reference. */
const printedIban =
  /(?<![\p{L}\p{N}])\p{L}{2}\p{N}{2}(?:[\p{Z}\p{P}]+[\p{L}\p{N}]{4}){2,8}(?:[\p{Z}\p{P}]+[\p{L}\p{N}]{1,3})?/gu
/** Digits of any script, with anything but letters between them. */
const longNumber = /\p{N}(?:[\p{Z}\p{P}\p{S}\p{M}]*\p{N}){6,}/gu
/** One piece of eight letters and digits or more, four digits of them at least: a reference of somebody's. */
const piece = /[\p{L}\p{N}_]{8,}/gu
const spacedAddress = /[^\p{Z}@]+\p{Z}?@\p{Z}?[^\p{Z}@]+\.[^\p{Z}@]+/gu
const urlWithMore = /:\/\/.*[?#]/u

/** @param hide takes out more (names), from the clean text before it is cut */
export function sanitised(text: string, hide: (clean: string) => string = (clean) => clean): string {
  return cut(hide(masked(cleaned(text))))
}

function cleaned(text: string): string {
  const clean = text
    .replace(spaceLike, ' ')
    .replace(invisible, '')
    .normalize('NFC')
    // Compatibility forms of the sign that makes an address.
    .replace(/[\uFF20\uFE6B]/g, '@')
    .replace(spaceLike, ' ')
    .trim()
  return clean.length <= maxLooked ? clean : clean.slice(0, maxLooked).replace(/ ?[^ ]*$/u, '')
}

/** Each pass leaves less that is not masked; what a mask joined is seen by the next. */
function masked(clean: string): string {
  let text = clean
  for (;;) {
    const next = text
      .replace(spacedAddress, mask)
      .split(' ')
      .map((word) => (isAddress(word) || urlWithMore.test(word) ? mask : word))
      .join(' ')
      .replace(printedIban, mask)
      .replace(longNumber, mask)
      .replace(piece, (found) => ((found.match(/\p{N}/gu) ?? []).length >= 4 ? mask : found))
    if (next === text) return text
    text = next
  }
}

/** A sign that stands alone is none of an address. */
function isAddress(word: string): boolean {
  return word.length > 1 && word.includes('@')
}

function cut(text: string): string {
  if (text.length <= maxCodePoints || Array.from(text).length <= maxCodePoints) return text
  let kept = ''
  let count = 0
  for (const { segment } of new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text)) {
    count += Array.from(segment).length
    if (count > maxCodePoints) break
    kept += segment
  }
  // One character of more marks than fit.
  return (kept === '' ? Array.from(text).slice(0, maxCodePoints).join('') : kept).trimEnd()
}
