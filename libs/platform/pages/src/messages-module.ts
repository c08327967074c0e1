/**
 * The generated module `generated/catalogues.ts`: it imports each file of `messages`, and has the values and the elements that each
 * message takes, from the English file.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'

export const messagesFolder = join(import.meta.dirname, '../messages')

/** A file of `messages`. */
export type Catalogue = {
  /** The locale by which amounts and times are written if the reader's tag names no region. */
  locale: string
  /** False: the language is offered only where the operator names it. */
  reviewed: boolean
  /** The messages by section and key. */
  messages: Readonly<Record<string, Readonly<Record<string, string>>>>
}

export function readCatalogue(language: string): Catalogue {
  return JSON.parse(readFileSync(join(messagesFolder, `${language}.json`), 'utf8')) as Catalogue
}

/** The languages of the files, English first. */
export function languagesOfFiles(): string[] {
  const files = readdirSync(messagesFolder).map((file) => file.replace(/\.json$/, ''))
  return ['en', ...files.filter((language) => language !== 'en').toSorted()]
}

/** The names of a message: of its values, of its values that are numbers, and of its elements. */
export type Names = { text: string[]; number: string[]; element: string[] }

export function namesOf(message: string): Names {
  const names: Record<keyof Names, Set<string>> = { text: new Set(), number: new Set(), element: new Set() }
  const addAll = (parts: readonly MessageFormatElement[]) => parts.forEach(add)
  const add = (part: MessageFormatElement) => {
    if (part.type === TYPE.argument || part.type === TYPE.select) names.text.add(part.value)
    if (part.type === TYPE.number || part.type === TYPE.plural) names.number.add(part.value)
    if (part.type === TYPE.tag) names.element.add(part.value)
    if (part.type === TYPE.tag) addAll(part.children)
    if (part.type === TYPE.select || part.type === TYPE.plural)
      for (const { value } of Object.values(part.options)) addAll(value)
  }
  addAll(parse(message))
  return { text: [...names.text], number: [...names.number], element: [...names.element] }
}

/** Renders `generated/catalogues.ts`. */
export function messagesModule(): string {
  const languages = languagesOfFiles()
  const sections = Object.entries(readCatalogue('en').messages).map(([section, messages]) => {
    const rows = Object.entries(messages).map(([key, message]) => `    '${key}': ${typeOf(namesOf(message))}`)
    return `  '${section}': {\n${rows.join('\n')}\n  }`
  })
  return `// Written by \`pnpm gen\` from libs/platform/pages/messages; change the messages there.

${languages.map((language) => `import ${language} from '../../messages/${language}.json' with { type: 'json' }`).join('\n')}

/** Every language that there is. The compiler refuses one without a message that English has. */
export const catalogues = { ${languages.join(', ')} } satisfies Readonly<Record<string, typeof en>>

/** The values and the elements of each message. */
export type Messages = {
${sections.join('\n')}
}`
}

function typeOf(names: Names): string {
  const members = Object.entries(names)
    .filter(([, all]) => all.length > 0)
    .map(([kind, all]) => `${kind}: ${all.map((name) => `'${name}'`).join(' | ')}`)
  return `{ ${members.join('; ')} }`.replace('{  }', '{}')
}
