/**
 * The files of messages: every language says every message with the values and the elements of the English one, in the
 * characters of its language. `promises.json` names the tests that hold each English sentence.
 */

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import promises from '../promises.json' with { type: 'json' }
import { catalogues } from './generated/catalogues.ts'
import { type Language, languages } from './language.ts'
import { type MessageSection, sayIn } from './messages.ts'
import { languagesOfFiles, namesOf } from './messages-module.ts'
import { faultsOf, sentencesIn, textsOf } from './testing/promises.ts'

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
const english = textsOf(catalogues.en.messages)

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

test('every English sentence and every status names the tests that hold it, or none if it promises nothing', () => {
  const statuses = [...english.keys()].filter((key) => /^(operationStates|mandateStates)\./.test(key))
  expect(faultsOf(promises, english)).toEqual([])
  expect(statuses.filter((key) => !Object.hasOwn(promises, key))).toEqual([])
})

test('no page has a sentence outside the files', () => {
  const root = join(import.meta.dirname, '../../../..')
  expect(sentencesIn(root, '{services/authz/src/pages,libs/platform/{owner-pages,pages}/src}/**/*.ts')).toEqual([])
  expect(sentencesIn(root, 'services/gateway/src/{front-page,pages,error-page,site}.ts')).toEqual([])
})

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
