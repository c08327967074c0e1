/** `sentences.md` says which code holds each promise of the pages: what it quotes stands there, and what matters stands in it. */

import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { flashes } from './flash.ts'
import { scopeWords } from './scope-words.ts'
import { limitWords } from './views/powers.ts'

const service = join(import.meta.dirname, '../..')
const rows = readFileSync(join(service, 'sentences.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Sentence') && !line.startsWith('| ---'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
const sentences = new Set(rows.map(([, sentence]) => sentence))
const pages = globSync('**/*.ts', { cwd: import.meta.dirname })
  .filter((file) => !file.includes('.test'))
  .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8').replaceAll(/\s+/g, ' '))

test.each(rows.map(([, sentence = '', held = '']) => [sentence, held]))('%s', (sentence, held) => {
  expect(pages.some((page) => page.includes(sentence))).toBe(true)
  const files = [...held.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file)
  expect(files).not.toEqual([])
  for (const file of files) expect(existsSync(join(service, file)), file).toBe(true)
})

test('every power, every limit and every message of the pages stands in the table', () => {
  const said = [...Object.values(scopeWords).map(({ can }) => can), ...limitWords, ...flashes]
  expect(said.filter((sentence) => !sentences.has(sentence))).toEqual([])
})
