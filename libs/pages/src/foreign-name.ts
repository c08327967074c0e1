/**
 * A name that somebody else chose: a payee, an application. It stands in an element of its own, cut off from the direction
 * of the text around it, and at most `shownCharacters` of it are seen at once; the whole of it is one click away.
 *
 * Invariant: nothing in it is invisible or steers the text: such a character shows as U+FFFD. It never stands within a
 * sentence of ours.
 */

import { type Html, html } from './html.ts'

/** How many characters of a name are shown; a longer one ends with a mark that says so. */
export const shownCharacters = 60

/** The name in an element that can stand anywhere, a heading or a button included. Cut, the whole of it is its title. */
export function foreignName(name: string): Html {
  const { whole, shown, isCut } = readable(name)
  return isCut ? html`<bdi class="name" title="${whole}">${shown}</bdi>` : html`<bdi class="name">${shown}</bdi>`
}

/** The same as a value of `facts`: the whole of a long one opens below it. */
export function foreignValue(name: string): Html {
  const { whole, shown, isCut } = readable(name)
  const cut = html`<bdi class="name">${shown}</bdi>`
  if (!isCut) return cut
  return html`${cut}<details><summary>Show all ${Array.from(whole).length} characters</summary><bdi class="name">${whole}</bdi></details>`
}

/** As it is read: `shown` is what is seen of `whole` at once. */
function readable(name: string): { whole: string; shown: string; isCut: boolean } {
  const whole = visible(name)
  const characters = Array.from(whole)
  const isCut = characters.length > shownCharacters
  return { whole, isCut, shown: isCut ? `${characters.slice(0, shownCharacters).join('').trimEnd()} […]` : whole }
}

// Letters that are joined, or kept apart, by a character that is not seen are written so in these scripts alone.
const joining =
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}]\p{M}*)[\u200C\u200D](?=\p{L})/u
// Controls, direction, what has no width, and letters that are drawn as nothing.
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u
const marked = new RegExp(`${joining.source}|(${unseen.source})`, 'gu')

/** One line in which every character is seen. A name of nothing is said to be none. */
export function visible(name: string): string {
  const text = name
    .toWellFormed()
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replaceAll(marked, (character, hidden: string | undefined) => (hidden === undefined ? character : '\uFFFD'))
  return text === '' ? '\uFFFD' : text
}
