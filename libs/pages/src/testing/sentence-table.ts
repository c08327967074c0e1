/**
 * The tables `sentences.md` of the services with pages. A table names, for each sentence of the pages that promises something, the
 * code that holds it. The list below the table has the sentences that promise nothing.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type SentenceTable = {
  /**
   * Each sentence as it is quoted, with the Markdown that names its code. A cell may quote several sentences, separated
   * by `<br>`.
   */
  held: { quote: string; by: string }[]
  /** The lines of the list of sentences that promise nothing. */
  unheld: string[]
}

/** Reads the table of the service in this folder. */
export function readSentenceTable(service: string): SentenceTable {
  const lines = readFileSync(join(service, 'sentences.md'), 'utf8').split('\n')
  const rows = lines
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Sentence') && !line.startsWith('| ---'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return {
    held: rows.flatMap(([, sentence = '', by = '']) => sentence.split('<br>').map((quote) => ({ quote, by }))),
    unheld: lines.filter((line) => line.startsWith('- ')).map((line) => line.slice(2)),
  }
}

/** Returns the paths of the links of a cell. */
export function linkedFiles(by: string): string[] {
  return [...by.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file)
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
