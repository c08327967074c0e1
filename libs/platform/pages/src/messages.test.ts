/**
 * The files of messages: every language says every message with the values and the elements of the English one, in the signs of its
 * language. `promises.json` names the tests that hold each English sentence.
 */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import promises from '../promises.json' with { type: 'json' }
import { catalogues } from './generated/catalogues.ts'
import { type Language, languages } from './language.ts'
import { type MessageSection, sayIn } from './messages.ts'
import { languagesOfFiles, namesOf } from './messages-module.ts'

type Message = { key: string; section: MessageSection; name: string; text: string }

const messagesOf = (language: Language): Message[] =>
  Object.entries(catalogues[language].messages).flatMap(([section, messages]) =>
    Object.entries(messages).map(([name, text]) => ({
      key: `${section}.${name}`,
      section: section as MessageSection,
      name,
      text,
    })),
  )
const english = new Map(messagesOf('en').map((message) => [message.key, message.text]))

test('every file is a language', () => expect(languages).toEqual(languagesOfFiles()))

describe.each(languages)('in %s', (language) => {
  const messages = messagesOf(language)
  const faults = (isGood: (message: Message) => boolean) =>
    messages.filter((message) => !isGood(message)).map(({ key }) => key)

  test('the messages are those of English, in the same order', () => {
    expect(messages.map(({ key }) => key)).toEqual([...english.keys()])
  })

  test('every message has the values and the elements of the English one', () => {
    const names = (text: string) => JSON.stringify(sorted(namesOf(text)))
    expect(faults(({ key, text }) => names(text) === names(english.get(key) as string))).toEqual([])
  })

  test('every message is written with the signs of its language', () => {
    const script = new Intl.Locale(language).maximize().script === 'Arab' ? /\p{Script=Arabic}/u : /\p{L}/u
    const isWritten = (text: string) => !/\p{L}/u.test(text.replaceAll(/[{<][^}>]*[}>]/g, '')) || script.test(text)
    expect(faults(({ text }) => text.trim() === text && !/['"]|\.\.\.| {2}/.test(text) && isWritten(text))).toEqual([])
  })

  test('one word means one thing: signing out and disconnecting, paused, suspended and stopped', () => {
    const bare = (text: string) => text.replace(/[ …]+$/, '')
    const { header, disconnect, account, mandateStates, grant } = catalogues[language].messages
    expect(bare(header.signOut)).not.toBe(bare(disconnect.disconnect))
    expect(bare(header.signOut)).not.toBe(bare(account.disconnect))
    expect(new Set([mandateStates.suspended, mandateStates.stopped, grant.stopped].map(bare)).size).toBe(3)
    expect(bare(grant.suspended)).not.toBe(bare(grant.stopped))
  })

  test('every message can be said with any number', () => {
    const numbers = [0, 1, 2, 3, 11, 100, 1_000_000]
    const isSaid = (message: Message) =>
      numbers.every((number) => !/[{}]|undefined/.test(say(message, language, number)))
    expect(faults(isSaid)).toEqual([])
  })
})

test('every message of an Arabic page has the commas of Arabic', () => {
  const bare = (text: string) => text.replaceAll(/\{[^{}]*\}|<[^>]*>|&\w+;/g, '')
  const wrong = messagesOf('ar').filter(({ text }) => !text.includes('plural') && /[,;?]/.test(bare(text)))
  expect(wrong).toEqual([])
})

describe('promises', () => {
  /** The sections whose messages are statuses. */
  const statuses = /^(operationStates|mandateStates)\./

  test('every English sentence and every status names the tests that hold it, or none if it promises nothing', () => {
    const isSentence = ([key, text]: [string, string]) => /\.$/.test(text) || statuses.test(key)
    const sentences = [...english].filter(isSentence).map(([key]) => key)
    expect(sentences.filter((key) => !Object.hasOwn(promises, key))).toEqual([])
    expect(Object.keys(promises).filter((key) => !english.has(key))).toEqual([])
  })

  test('every named test exists, and skips nothing', () => {
    const titles = titlesOfTests()
    expect(titles.size).toBeGreaterThan(1000)
    expect(
      Object.values(promises)
        .flat()
        .filter((title) => !titles.has(title)),
    ).toEqual([])
  })
})

/** Returns the titles of the tests of the repository, as they stand in the sources. */
function titlesOfTests(): Set<string> {
  const root = join(import.meta.dirname, '../../../..')
  const files = globSync('{libs,services,deploy,test}/**/*.test.ts', {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  })
  const sources = files.map((file) => readFileSync(join(root, file), 'utf8'))
  // A test begins with its title and ends where the next one begins.
  const tests = sources
    .filter((source) => !/\b(?:test|it|describe)\.(?:skip|todo)/.test(source))
    .flatMap((source) => [...source.matchAll(/(?:\b(?:test|it)|\))\(\s*(['"`])(.+?)\1,(.*?)(?=\btest\b|$)/gs)])
  return new Set(tests.filter(([, , , body = '']) => !body.includes('skip(')).map(([, , title = '']) => title))
}

function say({ section, name, text }: Message, language: Language, number: number): string {
  const { text: texts, number: numbers, element } = namesOf(text)
  const values = Object.fromEntries([...texts, ...numbers].map((one) => [one, number]))
  const elements = Object.fromEntries(element.map((one) => [one, (content: unknown) => content]))
  const rich = sayIn(section, language, language).rich as unknown as (...args: unknown[]) => unknown
  return String(rich(name, values, elements))
}

function sorted(names: ReturnType<typeof namesOf>) {
  return Object.values(names).map((all: string[]) => all.toSorted())
}
