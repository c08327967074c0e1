import { describe, expect, test } from 'vitest'
import { choiceOf, choiceOfHeader, defaultLanguages, languages } from './language.ts'
import { createReader } from './reader.ts'

describe('the language of a reader', () => {
  test.each([
    ['de', 'de', 'de-DE'],
    ['pt-BR', 'pt', 'pt-BR'],
    ['en-US', 'en', 'en-US'],
    ['zh-Hant, fr-CH;q=0.5, de;q=0.7', 'de', 'de-DE'],
    ['de;q=0, fr', 'fr', 'fr-FR'],
    ['ar', 'en', 'en-GB'],
    ['*', 'en', 'en-GB'],
    ['xx, "<script>", -', 'en', 'en-GB'],
    ['', 'en', 'en-GB'],
  ])('by Accept-Language %j is %s, with the region %s', (header, language, locale) => {
    expect(choiceOfHeader(header, defaultLanguages)).toEqual({ language, locale })
  })

  test('is none if a tag is not well-formed or not offered', () => {
    for (const tag of ['', '..', 'de_DE', 'ar', 'x'.repeat(500)])
      expect(choiceOf(tag, defaultLanguages)).toBeUndefined()
  })
})

describe('a reader', () => {
  const reader = (tag: string) => createReader(choiceOfHeader(tag, languages), 'Europe/Lisbon')

  test('reads times with the digits 0 to 9 and the Gregorian calendar in every language', () => {
    const at = new Date('2026-07-01T22:30:00.000Z')
    for (const tag of ['de', 'pt', 'fr', 'ar', 'ar-SA', 'en-US'])
      expect(String(reader(tag).timestamp(at))).toMatch(/>[^<]*\b1\b[^<]*2026[^<]*<\/time>$/)
    expect(String(reader('de').day(at))).toBe('<time datetime="2026-07-01T22:30:00.000Z">1. Juli 2026</time>')
  })

  test('writes amounts into fields so that the form reads the same amount', () => {
    expect(reader('de').written('49.90')).toBe('49,90')
    expect(reader('en').written('49.90')).toBe('49.90')
    // With a comma, three digits could be read as thousands.
    expect(reader('de').written('1.234')).toBe('1.234')
  })

  test('gets a message with its plural, its elements and its values, all of them escaped', () => {
    const amount = '<i>'
    expect(reader('de').say('frame')('showAll', { count: 1 })).toBe('1 Zeichen anzeigen')
    expect(reader('de').say('frame')('showAll', { count: 1200 })).toBe('Alle 1.200 Zeichen anzeigen')
    expect(reader('ar').say('frame')('showAll', { count: 2 })).toBe('إظهار الحرفين')
    expect(String(reader('de').say('limitFields').rich('above', { amount }))).toContain('<strong>&lt;i&gt;</strong>')
  })
})
