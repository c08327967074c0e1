/**
 * The languages of the owner's pages, and the choice of one: from a BCP 47 tag or from `Accept-Language`.
 *
 * Invariant: the files of `messages` are the one list of languages.
 */

import { catalogues } from './generated/catalogues.ts'

export type Language = keyof typeof catalogues

/** Every language that has texts, English first. Arabic is the proof that the pages work from right to left. */
export const languages = Object.keys(catalogues) as readonly Language[]

/** The languages that an installation offers if its operator names none: those whose texts were reviewed. */
export const defaultLanguages = languages.filter((language) => catalogues[language].reviewed)

/** Returns a language in its own words, for example `Français`. */
export function nameOf(language: Language): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

/** The locale by which amounts and times are written if the reader's tag names no region. */
const usualLocale = (language: Language) => catalogues[language].locale

/** A choice: the language of the texts, and the locale of amounts and times. */
export type Choice = { language: Language; locale: string }

/**
 * Chooses by one tag, for example `pt-PT` or `de`. Returns undefined if the tag is not well-formed, or its language is
 * not offered.
 */
export function choiceOf(tag: string, offered: readonly Language[]): Choice | undefined {
  const read = readTag(tag)
  const language = offered.find((one) => one === read?.language)
  if (!read || !language) return undefined
  const { region } = read
  return { language, locale: region === undefined ? usualLocale(language) : `${language}-${region}` }
}

/** More tags than a browser sends. */
const mostTags = 20

/** Chooses by the header `Accept-Language`. The first offered language is the choice if the header names none of them. */
export function choiceOfHeader(header: string | undefined, offered: readonly Language[]): Choice {
  const tags = (header ?? '')
    .slice(0, 500)
    .split(',', mostTags)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
  for (const { tag } of tags) {
    const choice = choiceOf(tag, offered)
    if (choice) return choice
  }
  const [first = 'en'] = offered
  return { language: first, locale: usualLocale(first) }
}

function readTag(tag: string): { language: string; region: string | undefined } | undefined {
  try {
    const { language, region } = new Intl.Locale(tag)
    // A region of three digits is an area such as Latin America, for which the usual one is as good.
    return { language, region: region !== undefined && /^[A-Z]{2}$/.test(region) ? region : undefined }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}
