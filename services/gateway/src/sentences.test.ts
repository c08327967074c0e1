/** `sentences.md` names the code that holds each promise of the gateway's own pages, and every sentence of them stands in it. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeWords } from './words/codes.ts'
import { errorWords } from './words/errors.ts'
import { frontWords } from './words/front.ts'

const service = join(import.meta.dirname, '..')
const lines = readFileSync(join(service, 'sentences.md'), 'utf8').split('\n')
const rows = lines
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Sentence') && !line.startsWith('| ---'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
const quoted = [
  ...rows.map(([, sentence = '']) => sentence),
  ...lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2)),
].flatMap(sentencesOf)
const said = englishOf([codeWords, errorWords, frontWords]).flatMap(sentencesOf)

test('every sentence of the pages stands in the table, or is said to promise nothing', () => {
  expect(said.length).toBeGreaterThan(40)
  expect(said.filter((sentence) => !quoted.includes(sentence))).toEqual([])
})

test('everything that is quoted is said', () => {
  expect(quoted.filter((sentence) => !said.includes(sentence))).toEqual([])
})

test.each(rows.map(([, sentence = '', by = '']) => [sentence, by]))('%s', (_sentence, by) => {
  const files = [...by.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file)
  expect(files).not.toEqual([])
  for (const file of files) expect(existsSync(join(service, file)), file).toBe(true)
})

/** Returns every English text of tables of messages, however they are nested. */
function englishOf(table: unknown): string[] {
  if (typeof table !== 'object' || table === null) return []
  if ('en' in table && typeof table.en === 'string') return [table.en]
  return Object.values(table).flatMap(englishOf)
}

/** Returns the sentences of a text that end with a full stop. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.?!]) (?=[\p{Lu}<{])/u).filter((sentence) => sentence.endsWith('.'))
}
