/**
 * The messages of the pages: every language says a message with the same values and the same elements, and every plural
 * has all forms of its language. The compiler holds that no message is missing.
 */

import { globSync } from 'node:fs'
import { type Language, languages } from '@financial-agents/pages/language'
import { sayIn, type Texts } from '@financial-agents/pages/words'
import { describe, expect, test } from 'vitest'

const tables = await Promise.all(
  [
    ...globSync('*.ts', { cwd: import.meta.dirname }).filter((file) => !file.includes('.test')),
    '../../../../../libs/pages/src/words/frame.ts',
  ].map(async (file): Promise<[string, unknown]> => [file, await import(`./${file}`)]),
)
const messages = tables.flatMap(([file, table]) => textsIn(table, file))

/** Returns all messages of a table, however they are nested, by their places. */
function textsIn(table: unknown, place: string): [string, Texts][] {
  if (typeof table !== 'object' || table === null) return []
  if ('en' in table && typeof table.en === 'string') return [[place, table as Texts]]
  return Object.entries(table).flatMap(([key, inner]) => textsIn(inner, `${place} ${key}`))
}

test('the tables have all messages of the pages', () => expect(messages.length).toBeGreaterThan(350))

describe.each(languages.filter((language) => language !== 'en'))('%s', (language) => {
  test.each(messages)('%s has the values and the elements of the English message', (_place, texts) => {
    expect(partsOf(texts[language])).toEqual(partsOf(texts.en))
  })

  test.each(messages)('%s is written in the script and the signs of its language', (_place, texts) => {
    const text = texts[language]
    expect(text.trim()).toBe(text)
    expect(text).not.toMatch(/['"]|\.\.\.| {2}/)
    if (language === 'ar' && /\p{L}/u.test(text.replaceAll(/[{<][^}>]*[}>]/g, '')))
      expect(text).toMatch(/\p{Script=Arabic}/u)
  })

  test.each(messages)('%s can be said with any number', (_place, texts) => {
    for (const number of [0, 1, 2, 3, 11, 100, 1_000_000]) {
      const said = say(texts, language, number)
      expect(said).not.toMatch(/[{}]|undefined/)
    }
  })
})

function say(texts: Texts, language: Language, number: number): string {
  const values = Object.fromEntries(partsOf(texts.en).values.map((name) => [name, number]))
  const keep = (content: unknown) => content
  const elements = Object.fromEntries(partsOf(texts.en).elements.map((name) => [name, keep]))
  return String(sayIn({ message: texts }, language, language).rich('message', values, elements as never))
}

function partsOf(text: string) {
  const values = [...text.matchAll(/\{(\w+)(?=[,}])/g)].map(([, name]) => name ?? '')
  const elements = [...text.matchAll(/<(\w+)>/g)].map(([, name]) => name ?? '')
  return { values: [...new Set(values)].toSorted(), elements: elements.toSorted() }
}
