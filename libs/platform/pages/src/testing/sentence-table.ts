/**
 * The tables `sentences.md` of the services with pages. A table names, for each sentence of the pages that promises something, the
 * code that holds it and a test that fails when it is broken. The list below the table has the sentences that promise nothing.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

export type SentenceTable = {
  /**
   * Each sentence as it is quoted, with the Markdown that names its code and its tests. A cell may quote several
   * sentences, separated by `<br>`.
   */
  held: HeldSentence[]
  /** The lines of the list of sentences that promise nothing. */
  unheld: string[]
}

type HeldSentence = { quote: string; by: string; shownBy: string }

/** Reads the table of the service in this folder. */
export function readSentenceTable(service: string): SentenceTable {
  const lines = readFileSync(join(service, 'sentences.md'), 'utf8').split('\n')
  const rows = lines
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Sentence') && !line.startsWith('| ---'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return {
    held: rows.flatMap(([, sentence = '', by = '', shownBy = '']) =>
      sentence.split('<br>').map((quote) => ({ quote, by, shownBy })),
    ),
    unheld: lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2)),
  }
}

/** Returns the paths of the links of a cell. */
function linkedFiles(by: string): string[] {
  return [...by.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file)
}

/**
 * Tests that the code and the tests that the row names exist. A test is named by its file and its whole title:
 * `[claims.test.ts](src/claims.test.ts): “a claim …”`, several separated by `<br>`.
 */
export function expectHeld(service: string, { by, shownBy }: HeldSentence): void {
  const files = linkedFiles(by)
  expect(files).not.toEqual([])
  for (const file of files) expect(existsSync(join(service, file)), file).toBe(true)
  const tests = [...shownBy.matchAll(/\]\(([^)]+)\): “([^”]+)”/g)]
  expect(tests, 'the tests that show it').not.toEqual([])
  for (const [, file = '', title = ''] of tests)
    expect(titlesOf(readFileSync(join(service, file), 'utf8')), file).toContain(title)
}

/** Returns the titles of the tests of a source, as they stand there. */
function titlesOf(source: string): string[] {
  return [...source.matchAll(/(?:\b(?:test|it)|\))\(\s*(['"`])(.+?)\1,/g)].map(([, , title = '']) => title)
}

/** Returns every English text of tables of messages, however they are nested. */
export function englishOf(table: unknown): string[] {
  if (typeof table !== 'object' || table === null) return []
  if ('en' in table && typeof table.en === 'string') return [table.en]
  return Object.values(table).flatMap(englishOf)
}

/** Returns the texts between the quotes, tags and braces of a source, without comments. */
export function textsOf(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
  return code
    .split(/[`'<>{}]/)
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => /^[\p{L}\d\s’“”.,;:?!…()-]+$/u.test(text))
}

/** Returns the sentences of a text that begin with a capital letter and end with a full stop. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.?!]) (?=\p{Lu})/u).filter((sentence) => /^\p{Lu}.*\.$/u.test(sentence))
}
