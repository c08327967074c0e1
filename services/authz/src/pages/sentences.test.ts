/**
 * `sentences.md` names the code that holds each promise of the pages, and a test that shows it. Every quote stands in the code, and every sentence
 * of the pages is quoted or listed as promising nothing.
 */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  englishOf,
  expectHeld,
  readSentenceTable,
  sentencesOf,
  textsOf,
} from '@financial-agents/pages/testing/sentence-table'
import { expect, test } from 'vitest'
import { accountWords } from './words/account.ts'
import { flashWords } from './words/flash.ts'
import { grantWords } from './words/grant.ts'
import { mandateStateWords } from './words/mandates.ts'
import { stateTexts } from './words/operations.ts'
import { cannotWords, canWords } from './words/scopes.ts'

const service = join(import.meta.dirname, '../..')
const { held, unheld } = readSentenceTable(service)

/** The tables of messages, whose English texts are the sentences of the pages. */
const tables = await Promise.all(
  [...globSync('src/pages/words/*.ts', { cwd: service }), '../../libs/pages/src/words/frame.ts'].map(async (file) =>
    Object.values((await import(join(service, file))) as Record<string, unknown>),
  ),
)
const messages = englishOf(tables)

/** Sources with English sentences of their own. */
const written = [
  ...globSync('src/pages/**/*.ts', { cwd: service }).filter((file) => !file.includes('/words/')),
  'src/provider/show-error.ts',
  '../../libs/pages/src/page.ts',
]
  .filter((file) => !file.includes('.test'))
  .map((file) => readFileSync(join(service, file), 'utf8'))
const sources = [...written, ...messages]
const pages = sources.map((source) => source.replaceAll(/\s+/g, ' '))
/** The messages that are a status. */
const statuses: ReadonlySet<string> = new Set(
  englishOf([
    stateTexts,
    mandateStateWords,
    ...(['active', 'suspended', 'stopped', 'notConnected', 'ended'] as const).map((key) => grantWords[key]),
    accountWords.beingEnded,
    accountWords.connected,
  ]),
)
const isSaid = (quote: string) => pages.some((page) => page.includes(quote))

test.each(held)('$quote', (row) => {
  expect(isSaid(row.quote)).toBe(true)
  expectHeld(service, row)
})

test('every power, every limit and every message of the pages stands in the table', () => {
  const quotes = new Set(held.map(({ quote }) => quote))
  const said = englishOf([canWords, cannotWords, flashWords])
  expect(said.filter((sentence) => !quotes.has(sentence))).toEqual([])
})

test('every sentence and every status of the pages stands in the table, or is said to promise nothing', () => {
  const known = new Set(
    [...held.map(({ quote }) => quote), ...unheld].flatMap((quote) => [quote, ...sentencesOf(quote)]),
  )
  const said = [
    ...written.flatMap(textsOf).flatMap(sentencesOf),
    ...messages.flatMap((message) => [...sentencesOf(message), ...statusesOf(message)]),
  ]
  expect(said.length).toBeGreaterThan(150)
  expect([...new Set(said)].filter((sentence) => !known.has(sentence))).toEqual([])
})

test('what is said to promise nothing stands in the pages', () => {
  expect(unheld.flatMap(sentencesOf).filter((sentence) => !isSaid(sentence))).toEqual([])
})

function statusesOf(source: string): string[] {
  return statuses.has(source) ? [source] : []
}
