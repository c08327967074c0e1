/**
 * A name that somebody else chose, for example of a payee or an application. The name has an element of its own,
 * isolated from the direction of the text around it. At most `shownCharacters` of it are visible at once; a title or a
 * click shows the rest.
 *
 * Invariant: no character of the name is invisible or changes the text direction: such a character shows as U+FFFD. The
 * name never stands inside a sentence of ours.
 */

import { type Html, html } from './html.ts'
import { englishReader } from './reader.ts'

/** The number of characters of a name that are shown. A longer name ends with a mark that says so. */
export const shownCharacters = 60

/** Renders a name for any place, including a heading or a button. If the name is cut, its title holds all of it. */
export function foreignName(name: string): Html {
  const { whole, shown, cut } = readable(name)
  return cut ? html`<bdi class="name" title="${whole}">${shown}</bdi>` : html`<bdi class="name">${shown}</bdi>`
}

/** Renders a name as a value of `facts`. If the name is cut, the reader can open all of it below. */
export function foreignValue(name: string, reader = englishReader): Html {
  const { whole, shown, cut } = readable(name)
  const first = html`<bdi class="name">${shown}</bdi>`
  if (!cut) return first
  return html`${first}<details><summary>${reader.say('frame')('showAll', { count: Array.from(whole).length })}</summary><bdi class="name">${whole}</bdi></details>`
}

/** Returns true if a name is too long to be visible at once. */
export function isCut(name: string): boolean {
  return readable(name).cut
}

/** Makes a name readable: `whole` is all of it, `shown` the part that is visible at once. */
function readable(name: string): { whole: string; shown: string; cut: boolean } {
  const whole = visible(name)
  const characters = Array.from(whole)
  const cut = characters.length > shownCharacters
  return { whole, cut, shown: cut ? `${characters.slice(0, shownCharacters).join('').trimEnd()} […]` : whole }
}

// These scripts use the invisible characters ZWNJ and ZWJ to write letters apart or joined. Only there they are
// allowed.
const joining =
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}]\p{M}*)[\u200C\u200D](?=\p{L})/u
// Controls, direction marks, characters without a width, and letters that are drawn as nothing.
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u
const marked = new RegExp(`${joining.source}|(${unseen.source})`, 'gu')

/** Returns the name as one line of visible characters. An empty name becomes U+FFFD. */
export function visible(name: string): string {
  const text = name
    .toWellFormed()
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replaceAll(marked, (character, hidden: string | undefined) => (hidden === undefined ? character : '\uFFFD'))
  return text === '' ? '\uFFFD' : text
}
