/** `sentences.md` quotes every sentence of the gateway's own pages, and names the code that keeps each promise and a test that shows it. */

import { join } from 'node:path'
import { englishOf, expectHeld, readSentenceTable } from '@financial-agents/pages/testing/sentence-table'
import { expect, test } from 'vitest'
import { codeWords } from './words/codes.ts'
import { errorWords } from './words/errors.ts'
import { frontWords } from './words/front.ts'

const service = join(import.meta.dirname, '..')
const { held, unheld } = readSentenceTable(service)
const quoted = [...held.map(({ quote }) => quote), ...unheld].flatMap(sentencesOf)
const said = englishOf([codeWords, errorWords, frontWords]).flatMap(sentencesOf)

test('every sentence of the pages stands in the table, or is said to promise nothing', () => {
  expect(said.length).toBeGreaterThan(40)
  expect(said.filter((sentence) => !quoted.includes(sentence))).toEqual([])
})

test('everything that is quoted is said', () => {
  expect(quoted.filter((sentence) => !said.includes(sentence))).toEqual([])
})

test.each(held)('$quote', (row) => expectHeld(service, row))

/** Returns the sentences of a text that end with a full stop. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.?!]) (?=[\p{Lu}<{])/u).filter((sentence) => sentence.endsWith('.'))
}
