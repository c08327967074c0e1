import { expect, test } from 'vitest'
import { foreignName, foreignValue, shownCharacters, visible } from './foreign-name.ts'

test('a name is an element of its own, isolated from the direction of the text around it', () => {
  expect(foreignName('Rent & Sons <b>').toString()).toBe('<bdi class="name">Rent &amp; Sons &lt;b&gt;</bdi>')
})

test.each([
  ['a turned direction', 'A\u202eB', 'A\uFFFDB'],
  ['an isolate', 'A\u2066B\u2069', 'A\uFFFDB\uFFFD'],
  ['a control character', 'A\u0000B', 'A\uFFFDB'],
  ['no width', 'A\u200bB\u200dC', 'A\uFFFDB\uFFFDC'],
  ['a letter drawn as nothing', '\u3164', '\uFFFD'],
  ['a blank of Braille', 'A\u2800', 'A\uFFFD'],
  ['a tag', 'A\u{E0041}', 'A\uFFFD'],
  ['half a character', 'A\ud800', 'A\uFFFD'],
  ['lines', 'Casa\n\u2028Azul', 'Casa Azul'],
  ['nothing but spaces', ' \u00a0\u2003 ', '\uFFFD'],
  ['a joiner where the script writes it', 'علی‌رضا', 'علی‌رضا'],
])('%s is seen, or shown as a mark', (_what, name, seen) => {
  expect(visible(name)).toBe(seen)
})

test('a long name is cut, and the whole name is available', () => {
  const name = 'Casa Azul '.repeat(20).trim()
  for (const shown of [foreignName(name), foreignValue(name)].map(String)) {
    expect(shown).toContain(name)
    const [cut = ''] = /(?<=>)Casa[^<]*\[…\]/.exec(shown) ?? []
    expect(Array.from(cut).length).toBeLessThanOrEqual(shownCharacters + 4)
  }
  expect(foreignValue('Casa Azul').toString()).toBe('<bdi class="name">Casa Azul</bdi>')
})
