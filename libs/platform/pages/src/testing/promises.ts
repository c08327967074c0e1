/**
 * The files `promises.json` beside the messages. Each names, for the key of every English sentence, the titles of the tests that
 * fail when the sentence is not kept. A sentence without titles promises nothing.
 */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Promises = Readonly<Record<string, readonly string[]>>

/** `texts`: the English messages by key. Returns the sentences without a row, and the keys and titles that do not exist. */
export function faultsOf(promises: Promises, texts: ReadonlyMap<string, string>): string[] {
  const titles = titlesOfTests()
  const sentences = [...texts].filter(([, text]) => text.endsWith('.')).map(([key]) => key)
  return [
    ...sentences.filter((key) => !Object.hasOwn(promises, key)).map((key) => `${key}: has no row`),
    ...Object.keys(promises)
      .filter((key) => !texts.has(key))
      .map((key) => `${key}: is no message`),
    ...Object.entries(promises).flatMap(([key, named]) =>
      named.filter((title) => !titles.has(title)).map((title) => `${key}: no test runs that is called “${title}”`),
    ),
  ]
}

/** Returns every text of a file of messages by its key, however the texts are nested. */
export function textsOf(messages: object, prefix = ''): Map<string, string> {
  const rows = Object.entries(messages).flatMap(([key, value]: [string, string | object]) =>
    typeof value === 'string' ? [[prefix + key, value] as const] : [...textsOf(value, `${prefix}${key}.`)],
  )
  return new Map(rows)
}

/** Returns the sentences that stand in sources of pages, outside the files of messages. `pattern`: the sources, below `folder`. */
export function sentencesIn(folder: string, pattern: string): string[] {
  const files = globSync(pattern, { cwd: folder }).filter((file) => !file.includes('.test'))
  return files.flatMap((file) => {
    const source = readFileSync(join(folder, file), 'utf8')
    const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
    return code
      .split(/[`'<>{}$]/)
      .map((text) => text.replaceAll(/\s+/g, ' ').trim())
      .filter((text) => /^(?:.*[.?!:] )?\p{Lu}[\p{L}\d\s’“”.,;:?!…()-]* [\p{L}\d\s’“”.,;:?!…()-]*\.$/u.test(text))
      .map((text) => `${file}: ${text}`)
  })
}

/** Returns the titles of the tests of the repository, as they stand in the sources. A test that may be skipped has none. */
function titlesOfTests(): Set<string> {
  const root = join(import.meta.dirname, '../../../../..')
  const files = globSync('{libs,services,deploy,test}/**/*.test.ts', {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  })
  // A test begins with its title and ends where the next one begins.
  const tests = files
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .filter((source) => !/\b(?:test|it|describe)\.(?:skip|todo)/.test(source))
    .flatMap((source) => [...source.matchAll(/(?:\b(?:test|it)|\))\(\s*(['"`])(.+?)\1,(.*?)(?=\btest\b|$)/gs)])
  return new Set(tests.filter(([, , , body = '']) => !body.includes('skip(')).map(([, , title = '']) => title))
}
