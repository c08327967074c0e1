/**
 * `sentences.md` names the code that holds each promise of the pages. Every quote stands in the code, and every sentence
 * of the pages is quoted or listed as promising nothing.
 */

import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { flashes } from './flash.ts'
import { scopeWords } from './scope-words.ts'
import { limitWords } from './views/powers.ts'

const service = join(import.meta.dirname, '../..')
const lines = readFileSync(join(service, 'sentences.md'), 'utf8').split('\n')
const rows = lines
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Sentence') && !line.startsWith('| ---'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
/** Each sentence as it is quoted. A cell may quote several. */
const held = rows.flatMap(([, sentence = '', by = '']) => sentence.split('<br>').map((quote) => ({ quote, by })))
const unheld = lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2))

const sources = [
  ...globSync('src/pages/**/*.ts', { cwd: service }),
  'src/provider/show-error.ts',
  '../../libs/contract/src/lower-caps.ts',
  '../../libs/pages/src/environment-note.ts',
  '../../libs/pages/src/page.ts',
]
  .filter((file) => !file.includes('.test'))
  .map((file) => readFileSync(join(service, file), 'utf8'))
const pages = sources.map((source) => source.replaceAll(/\s+/g, ' '))
const isSaid = (quote: string) => pages.some((page) => page.includes(quote))

test.each(held)('$quote', ({ quote, by }) => {
  expect(isSaid(quote)).toBe(true)
  const files = [...by.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file)
  expect(files).not.toEqual([])
  for (const file of files) expect(existsSync(join(service, file)), file).toBe(true)
})

test('every power, every limit and every message of the pages stands in the table', () => {
  const quotes = new Set(held.map(({ quote }) => quote))
  const said = [...Object.values(scopeWords).map(({ can }) => can), ...limitWords, ...flashes]
  expect(said.filter((sentence) => !quotes.has(sentence))).toEqual([])
})

test('every sentence and every status of the pages stands in the table, or is said to promise nothing', () => {
  const known = new Set(
    [...held.map(({ quote }) => quote), ...unheld].flatMap((quote) => [quote, ...sentencesOf(quote)]),
  )
  const said = sources.flatMap((source) => [...textsOf(source).flatMap(sentencesOf), ...statusesOf(source)])
  expect(said.length).toBeGreaterThan(150)
  expect([...new Set(said)].filter((sentence) => !known.has(sentence))).toEqual([])
})

test('what is said to promise nothing stands in the pages', () => {
  expect(unheld.flatMap(sentencesOf).filter((sentence) => !isSaid(sentence))).toEqual([])
})

/** Returns the texts between the quotes, tags and braces of a source, without comments. */
function textsOf(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
  return code
    .split(/[`'<>{}]/)
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => /^[\p{L}\d\s’“”.,;:?!…()-]+$/u.test(text))
}

/** Returns the sentences of a text that begin with a capital letter and end with a full stop. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.?!]) (?=\p{Lu})/u).filter((sentence) => /^\p{Lu}.*\.$/u.test(sentence))
}

function statusesOf(source: string): string[] {
  return [...source.matchAll(/(?:word: |status\('\w+', )'([^']+)'/g)].map(([, word = '']) => word)
}
