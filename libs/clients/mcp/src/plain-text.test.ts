import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test('controls, directions, tags and other invisible characters become visible marks', () => {
  const invisible = [
    '\u0000',
    '\n',
    '\u001B',
    '\u200B',
    '\u202E',
    '\u2066',
    '\u2028',
    '\uFEFF',
    '\u{E0041}',
    '\uFE0F',
    '\uD800',
    '\uE000',
  ]
  for (const character of invisible) expect(plainText(`a${character}b`)).toBe('a\uFFFDb')
  expect(plainText('Łódź 東京 👍 é')).toBe('Łódź 東京 👍 é')
})

test('a text is bounded by characters', () => {
  expect(plainText('👍'.repeat(300))).toBe(`${'👍'.repeat(199)}…`)
  expect(plainText('x'.repeat(1_000_000), 10)).toBe(`${'x'.repeat(9)}…`)
})
