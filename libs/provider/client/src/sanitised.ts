/**
 * Makes a provider's free text fit to be shown. Payers write anything into it: account numbers, addresses, names, characters
 * that reverse the text around them.
 *
 * Invariant: the result has no IBAN, and no number of a card, an account or a telephone: no seven digits in a row, whatever
 * stands between them. It has no e-mail address, no URL with a secret, and no control, bidi or invisible character. It has at
 * most 140 code points. The function is idempotent.
 */

import { shapeOf } from './text-shape.ts'

const maxCodePoints = 140
/** The most UTF-16 units that are masked and shown; the rest is cut first. */
const maxLooked = 1_000
const mask = '••••'

const spaceLike = /[\p{Cc}\p{Z}]+/gu
/** Bidi controls, zero-width characters, variation selectors, tags, private characters, halves of pairs. */
const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu

// Over shapes: `a` a letter, `0` a digit of any script, `_` and `@` themselves, ` ` a space, `.` anything else.
const printedIban = /(?<![a0])aa00(?:[ ._@]+[a0]{4}){2,}(?:[ ._@]+[a0]{1,3})?/g
const writtenIban = /(?<![a0])aa00[a0]{11,}/g
/** A personal reference: letters and digits in one piece, at least four of them digits. */
const reference = /(?=[a_]*(?:0[a_]*){4})[a0_]{8,}/g
const longNumber = /0(?:[^a0]*0){6,}/g
const spacedAddress = /[^ @]+ ?@ ?[^ @]+\.[^ @]+/g
const address = /[^ ]+@[^ ]*|@[^ ]+/g
const urlWithMore = /[^ ]*:\/\/[^ ]*[?#][^ ]*/g

/** @param hide removes more (names) from the masked text before it is cut */
export function sanitised(text: string, hide: (clean: string) => string = (clean) => clean): string {
  return cut(hide(masked(cleaned(text))))
}

function cleaned(text: string): string {
  const clean = text
    .replace(spaceLike, ' ')
    .replace(invisible, '')
    .normalize('NFC')
    // Compatibility forms of the at sign.
    .replace(/[\uFF20\uFE6B]/g, '@')
    .replace(spaceLike, ' ')
    .trim()
  return clean.length <= maxLooked ? clean : clean.slice(0, maxLooked).replace(/ ?[^ ]*$/u, '')
}

/** Repeats until nothing changes: a mask can join parts that the next pass recognises. */
function masked(clean: string): string {
  let text = clean
  for (;;) {
    let next = text.includes('@') ? text.replace(spacedAddress, mask).replace(address, mask) : text
    if (next.includes('://')) next = next.replace(urlWithMore, mask)
    for (const shape of [printedIban, writtenIban, reference, longNumber]) next = maskShape(next, shape)
    if (next === text) return text
    text = next
  }
}

function maskShape(text: string, wanted: RegExp): string {
  const found = [...shapeOf(text).matchAll(wanted)]
  if (found.length === 0) return text
  const characters = Array.from(text)
  let kept = ''
  let end = 0
  for (const { 0: shape, index } of found) {
    kept += characters.slice(end, index).join('') + mask
    end = index + shape.length
  }
  return kept + characters.slice(end).join('')
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
  // A single character with more marks than fit.
  return (kept === '' ? Array.from(text).slice(0, maxCodePoints).join('') : kept).trimEnd()
}
