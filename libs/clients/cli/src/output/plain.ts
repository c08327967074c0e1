/**
 * Text that others wrote, for a terminal: names of payees, references, words of the bank. Characters that a terminal
 * obeys, or that hide or reorder others, are replaced. A foreign text can therefore not change what else is on the
 * screen.
 */

import stringWidth from 'string-width'

/** Controls (C0, DEL, C1), directions, invisible characters, line separators, tags, private use. */
const harmful = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu

/** One line: white space becomes a blank, harmful characters become U+FFFD. */
export function plain(text: string): string {
  return text.replace(/[\t\n\r]+/g, ' ').replace(harmful, '\ufffd')
}

export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n')
}

/** Shortens plain text to the width, in columns of the terminal. */
export function shortened(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** Fills plain text with blanks up to the width. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)))
}

export const widthOf = stringWidth
