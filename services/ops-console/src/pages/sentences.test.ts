/**
 * `sentences.md` names the code that holds each promise of the console, and a test that shows it. Every quote stands in the pages, and every sentence of the
 * pages is quoted or listed as promising nothing.
 */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectHeld, readSentenceTable, sentencesOf, textsOf } from '@financial-agents/pages/testing/sentence-table'
import { expect, test } from 'vitest'

const service = join(import.meta.dirname, '../..')
const { held, unheld } = readSentenceTable(service)
const sources = globSync('src/{pages,sign-in}/**/*.ts', { cwd: service })
  .filter((file) => !file.includes('.test'))
  .map((file) => readFileSync(join(service, file), 'utf8'))
const pages = sources.map((source) => source.replaceAll(/\s+/g, ' '))
const isSaid = (quote: string) => pages.some((page) => page.includes(quote))

test.each(held)('$quote', (row) => {
  expect(isSaid(row.quote)).toBe(true)
  expectHeld(service, row)
})

test('every sentence of the pages stands in the table, or is said to promise nothing', () => {
  const known = new Set(
    [...held.map(({ quote }) => quote), ...unheld].flatMap((quote) => [quote, ...sentencesOf(quote)]),
  )
  const said = sources.flatMap((source) => textsOf(source).flatMap(sentencesOf))
  expect(said.length).toBeGreaterThan(100)
  expect([...new Set(said)].filter((sentence) => !known.has(sentence))).toEqual([])
})

test('what is said to promise nothing stands in the pages', () => {
  expect(unheld.flatMap(sentencesOf).filter((sentence) => !isSaid(sentence))).toEqual([])
})
