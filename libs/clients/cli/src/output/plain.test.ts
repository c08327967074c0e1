import { expect, test } from 'vitest'
import { jsonOf } from './json.ts'
import { padded, plain, plainLines, shortened } from './plain.ts'
import { factLines, tableLines } from './table.ts'

const hostile = 'Rui\u001b[2J\u202eodarP\u200b\u0007\u009b31m\nInês\u{e0041}'

test('foreign text is one line, and nothing in it is obeyed, hidden or reordered', () => {
  expect(plain(hostile)).toBe('Rui\ufffd[2J\ufffdodarP\ufffd\ufffd\ufffd31m Inês\ufffd')
  expect(plainLines('a\nb\u0007')).toBe('a\nb\ufffd')
  expect(plain('Zieliński 株式会社 🧾')).toBe('Zieliński 株式会社 🧾')
})

test('JSON has the values of the API, and harms no terminal either', () => {
  const written = jsonOf({ name: hostile })
  expect(JSON.parse(written)).toEqual({ name: hostile })
  // oxlint-disable-next-line no-control-regex -- these are what it must not have
  expect(written).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e]/)
})

test('cells have the width of the terminal, not of the text', () => {
  expect(
    tableLines(
      [
        ['Name', (name: string) => name],
        ['To', () => 'x'],
      ],
      ['株式', 'a'],
    ),
  ).toEqual(['NAME  TO', '株式  x', 'a     x'])
  expect(shortened('株式会社', 5)).toBe('株式…')
  expect(shortened('abc', 3)).toBe('abc')
  expect(padded('株', 3)).toBe('株 ')
  expect(
    factLines([
      ['A', null],
      ['Long', hostile],
    ]),
  ).toEqual(['A     –', `Long  ${plain(hostile)}`])
})
