/**
 * The common parts of the gateway's own pages: the look of the installation, and the reader's language. The reader has
 * chosen the language, or `Accept-Language` decides. The pages contain nothing else of a request.
 *
 * Invariant: a page is rendered at most once in each language.
 */

import type { IncomingHttpHeaders } from 'node:http'
import type { BrandLogo } from '@financial-agents/pages/brand-logo'
import type { Branding } from '@financial-agents/pages/branding'
import { type Environment, environmentNote } from '@financial-agents/pages/environment-note'
import { type Choice, choiceOf, choiceOfHeader, type Language } from '@financial-agents/pages/language'
import { type Page, renderPage } from '@financial-agents/pages/page'
import { pageHeaders } from '@financial-agents/pages/page-headers'
import { pictureHeaders } from '@financial-agents/pages/picture'
import { createReader, type Reader } from '@financial-agents/pages/reader'
import { languageChoiceS, languageCookie, languageParameter } from '@financial-agents/pages/tunnel/language-choice'
import type { Stored } from './stored.ts'

/** A page in every language. */
export type SitePage = (reader: Reader) => Stored

export type Site = {
  readerOf: (headers: IncomingHttpHeaders) => Reader
  /** Renders a page as it is sent. */
  render: (page: Page & { reader: Reader }, status?: number) => Stored
  /**
   * Makes a page that has its own address and links to its other languages. `vary` names a header by which the page
   * varies.
   */
  page: (make: (reader: Reader) => Page, vary?: string) => SitePage
  /**
   * The answer to an address that chooses a language: the address without the choice. Undefined if it chooses no
   * language that is offered.
   */
  choose: (path: string, rawQuery: string) => Stored | undefined
}

export type SiteOptions = {
  baseUrl: string
  branding: Branding
  languages: readonly Language[]
  environment: Environment
}

export function createSite({ baseUrl, branding, languages, environment }: SiteOptions): Site {
  const jar = languageCookie(baseUrl)
  // The pages have no times and no amounts, so that a language is enough.
  const readers = new Map(
    languages.map((language) => [language, createReader(choiceOf(language, languages) as Choice, undefined)]),
  )
  const readerIn = (language: Language) => readers.get(language) as Reader
  const render: Site['render'] = (page, status = 200) => ({
    status,
    headers: Object.entries(pageHeaders({}, page.reader, branding)).flat(),
    body: renderPage({ ...page, environmentNote: environmentNote(environment, page.reader) }, branding),
  })
  const links = languages.map((language) => ({ language, href: `?${languageParameter}=${language}` }))
  return {
    readerOf: (headers) => {
      const chosen = choiceOf(jar.read({ headers }) ?? '', languages)
      return readerIn((chosen ?? choiceOfHeader(headers['accept-language'], languages)).language)
    },
    render,
    page: (make, vary) => {
      const made = new Map<Language, Stored>()
      return (reader) => {
        const known = made.get(reader.language)
        if (known) return known
        const { headers, ...stored } = render({ ...make(reader), reader, languages: links })
        const page = { ...stored, headers: vary === undefined ? headers : [...headers, 'vary', vary] }
        made.set(reader.language, page)
        return page
      }
    },
    choose: (path, rawQuery) => {
      const parameters = new URLSearchParams(rawQuery)
      const language = languages.find((one) => one === parameters.get(languageParameter))
      if (language === undefined) return undefined
      parameters.delete(languageParameter)
      const location = parameters.size === 0 ? path : `${path}?${parameters.toString()}`
      const caching = ['Cache-Control', 'no-store', 'Referrer-Policy', 'no-referrer']
      const cookie = jar.text(language, languageChoiceS)
      return { status: 303, headers: ['Location', location, 'Set-Cookie', cookie, ...caching], body: null }
    },
  }
}

/** An hour: a new logo has the same address. */
const logoKeptS = 3_600

export function storedLogo({ type, bytes }: BrandLogo): Stored {
  return { headers: Object.entries(pictureHeaders(type, logoKeptS)).flat(), body: bytes }
}
