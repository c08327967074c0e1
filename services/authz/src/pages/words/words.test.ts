/**
 * The messages of the pages: every language says a message with the same values and the same elements, and every plural
 * has all forms of its language. The compiler ensures that no message is missing.
 */

import { globSync } from 'node:fs'
import { type Language, languages } from '@financial-agents/pages/language'
import { sayIn, type Texts } from '@financial-agents/pages/words'
import { describe, expect, test } from 'vitest'
import { accountWords, disconnectWords } from './account.ts'
import { headerWords } from './frame.ts'
import { grantWords } from './grant.ts'
import { mandateStateWords } from './mandates.ts'

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

/** Returns the places of the messages for which `isGood` is false. */
function faults(isGood: (texts: Texts) => boolean): string[] {
  return messages.filter(([, texts]) => !isGood(texts)).map(([place]) => place)
}

describe.each(languages.filter((language) => language !== 'en'))('in %s', (language) => {
  test('every message has the values and the elements of the English one', () => {
    const parts = (text: string) => JSON.stringify(partsOf(text))
    expect(faults((texts) => parts(texts[language]) === parts(texts.en))).toEqual([])
  })

  test('every message is written with the signs of its language', () => {
    const isArabic = (text: string) =>
      !/\p{L}/u.test(text.replaceAll(/[{<][^}>]*[}>]/g, '')) || /\p{Script=Arabic}/u.test(text)
    expect(
      faults((texts) => {
        const text = texts[language]
        return text.trim() === text && !/['"]|\.\.\.| {2}/.test(text) && (language !== 'ar' || isArabic(text))
      }),
    ).toEqual([])
  })

  test('one word means one thing: signing out and disconnecting, paused, suspended and stopped', () => {
    const of = (texts: Texts) => texts[language].replace(/[ …]+$/, '')
    expect(of(headerWords.signOut)).not.toBe(of(disconnectWords.disconnect))
    expect(of(headerWords.signOut)).not.toBe(of(accountWords.disconnect))
    const { suspended: paused, stopped: withoutAccess } = mandateStateWords
    expect(new Set([paused, withoutAccess, grantWords.stopped].map(of)).size).toBe(3)
    expect(of(grantWords.suspended)).not.toBe(of(grantWords.stopped))
  })

  test('every message of an Arabic page has the commas of Arabic', () => {
    const bare = (text: string) => text.replaceAll(/\{[^{}]*\}|<[^>]*>|&\w+;/g, '')
    expect(faults(({ ar }) => ar.includes('plural') || !/[,;?]/.test(bare(ar)))).toEqual([])
  })

  test('every message can be said with any number', () => {
    const numbers = [0, 1, 2, 3, 11, 100, 1_000_000]
    expect(faults((texts) => numbers.every((number) => !/[{}]|undefined/.test(say(texts, language, number))))).toEqual(
      [],
    )
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
